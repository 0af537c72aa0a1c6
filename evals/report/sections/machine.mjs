// Where and when everything was measured.
import { cell } from "../format.mjs";

export function machineSection(results) {
  const { accuracy, constrained = {}, tokens } = results;
  const machineOf = ({ cpu, cores }) => `${cpu} × ${cores}`;
  const row = (name, { date, commit, machine, node, versions, questions }) => [
    ...[
      cell(name),
      cell(date ?? "not noted"),
      cell(commit ?? "not noted"),
      cell(machine ?? "not noted"),
      cell(node ?? ""),
    ],
    cell(
      [...Object.entries(versions ?? {}).map(([what, version]) => `${what} ${version}`), questions ?? []]
        .flat()
        .join(", "),
    ),
  ];
  return {
    blocks: [
      {
        table: {
          caption: "Each benchmark's machine and versions",
          columns: ["results", "date", "commit", "machine", "Node.js", "versions"].map((title) => ({ title })),
          rows: [
            ...accuracy.map((one) => row(`accuracy, ${one.name}`, one)),
            ...(tokens ? [row("tokens", tokens)] : []),
            ...Object.entries(constrained).map(([name, { machine, date }]) =>
              row(`constrained, ${name}`, {
                ...{ date, node: machine.node, machine: machineOf(machine) },
                versions: { "node-llama-cpp": machine["node-llama-cpp"] },
              }),
            ),
            ...["replay", "coverage", "speed", "throughput"]
              .filter((name) => results[name])
              .map((name) => row(name, results[name])),
          ],
        },
      },
      {
        paragraph:
          "To run it again: `npm run bench -- NAME`, where NAME is `accuracy`, `replay`, `coverage`, `tokens`, `constrained`, `speed` or `throughput`; then `npm run bench -- report`. What each measures and how is told in `benchmarks/README.md`.",
      },
    ],
  };
}
