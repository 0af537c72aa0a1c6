// What it is worth to constrain a model by a grammar.
import { wilson } from "../../accuracy/statistics.mjs";
import { cell, median, percent, plural, short, whole } from "../format.mjs";

const TITLES = { tiny: "Random weights", "gemma3-270m": "Gemma 3 270M", "smollm2-135m": "SmolLM2 135M" };
export const modelTitle = (name) => {
  const [, model, where = ""] = /^(\S+)(.*)$/.exec(name) ?? [name, name];
  return `${TITLES[model] ?? model}${where}`;
};

const MEASURES = { valid: "valid replies", rightTool: "right tool", rightCall: "right call" };

export function constrainedSection({ constrained }) {
  if (!constrained) return { missing: ["constrained tiny", "constrained gemma3-270m", "constrained smollm2-135m"] };
  const models = Object.entries(constrained);
  const random = constrained.tiny?.constrained;
  const all = models.map(([, model]) => model.constrained);
  const sum = (key, list = all) => list.reduce((total, one) => total + one[key], 0);
  const free = models.map(([, model]) => model.free);
  const [low, high] = wilson(sum("valid"), sum("finished"));
  return {
    // These results name no commit, so the summary does not use them.
    blocks: [
      {
        paragraph:
          `${percent(low, 2)} to ${percent(high)} of replies constrained by our grammar are valid calls once they are finished (95 %; ${whole(sum("valid"))} of ${whole(sum("finished"))}, ` +
          `in ${formats(constrained)} formats); free, ${whole(sum("valid", free))} of ${whole(sum("finished", free))} are. These figures were written before results named their commit, so the summary does not use them.`,
      },
      { figure: chart(models) },
      {
        paragraph:
          "A reply is valid when every call in it names a tool that there is, with arguments that its schema allows (Ajv). " +
          "Replies that were cut off count as not valid. Real models answered 200 questions with four tools shown." +
          (random
            ? ` A model with random weights knows no format: whatever is valid there is the grammar's doing.`
            : ""),
      },
      { table: modelTable(models) },
      ...(constrained.tiny ? [{ table: byFormat(constrained.tiny), folded: true }] : []),
    ],
  };
}

const formats = ({ tiny }) => Object.keys(tiny?.protocols ?? {}).length;

function chart(models) {
  const rows = models.flatMap(([name, { constrained, free }]) =>
    Object.keys(MEASURES)
      .filter((measure) => constrained[measure] !== undefined)
      .map((measure) => ({
        label: `${modelTitle(name)}: ${MEASURES[measure]}`,
        values: { free: share(free, measure), "constrained by the grammar": share(constrained, measure) },
      })),
  );
  return {
    ...{ id: "constrained", title: "Free, and constrained by a grammar" },
    note: "Share of the replies, with 95 % intervals; the commit was not noted.",
    axis: { max: 1, format: (value) => percent(value) },
    keys: [
      { name: "free", color: "ours-soft", mark: "dot" },
      { name: "constrained by the grammar", color: "ours", mark: "dot" },
    ],
    rows,
  };
}

function share(part, measure) {
  const [low, high] = wilson(part[measure], part.replies);
  return { value: part[measure] / part.replies, low, high, label: percent(part[measure] / part.replies) };
}

/** How much of the free reply's speed is left; replies of one turn, one after the other. */
const slowdown = ({ constrained, free }) => constrained.tokensPerSecond / free.tokensPerSecond;

function modelTable(models) {
  const titles = [
    "model",
    "",
    "replies",
    "cut off",
    "valid",
    "right tool",
    "right call",
    "tokens/s",
    "of the free speed",
  ];
  return {
    caption:
      "By model. Speeds are of one machine while it did other things: only their ratio says something, and little",
    columns: titles.map((title, i) => ({ title: title || "grammar", numeric: i > 1 })),
    rows: models.flatMap(([name, model]) =>
      ["free", "constrained"].map((way) => {
        const part = model[way];
        const shareOf = (measure) =>
          part[measure] === undefined
            ? cell("", "")
            : cell(percent(part[measure] / part.replies), part[measure] / part.replies);
        return [
          ...[
            cell(modelTitle(name)),
            cell(way),
            cell(whole(part.replies), part.replies),
            cell(whole(part.cutOff), part.cutOff),
          ],
          ...["valid", "rightTool", "rightCall"].map(shareOf),
          cell(short(part.tokensPerSecond), part.tokensPerSecond),
          way === "constrained" ? cell(percent(slowdown(model)), slowdown(model)) : cell("", ""),
        ];
      }),
    ),
  };
}

function byFormat({ protocols }) {
  const middle = median(Object.values(protocols).map(slowdown));
  return {
    caption: `Random weights, by format: ${plural(Object.keys(protocols).length, "format")}, half of them at ${percent(middle)} of the free speed or more`,
    columns: ["format", "constrained", "valid", "free", "valid", "of the free speed"].map((title, i) => ({
      ...{ title, numeric: i > 0 },
    })),
    rows: Object.entries(protocols).map(([name, { constrained, free }]) => [
      cell(name, name, { code: true }),
      ...[
        cell(whole(constrained.finished), constrained.finished),
        cell(percent(constrained.valid / constrained.replies), constrained.valid / constrained.replies),
      ],
      ...[
        cell(whole(free.finished), free.finished),
        cell(percent(free.valid / free.replies), free.valid / free.replies),
      ],
      cell(percent(slowdown({ constrained, free })), slowdown({ constrained, free })),
    ]),
  };
}
