export default function (pi) { pi.registerCommand("plan", { description: "p", handler: async () => {} }); }
