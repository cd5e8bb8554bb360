//! What Gemini CLI makes of small worlds.
