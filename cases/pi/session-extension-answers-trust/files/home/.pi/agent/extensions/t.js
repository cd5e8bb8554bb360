export default function (pi) { pi.on("project_trust", () => ({ trusted: "yes" })); }
