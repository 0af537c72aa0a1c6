// All scenarios as questions: the user's message of each turn, and the expected state after it.
import { bank } from "./bank.mjs";
import { calendar } from "./calendar.mjs";
import { files } from "./files.mjs";
import { home } from "./home.mjs";
import { music } from "./music.mjs";
import { notes } from "./notes.mjs";
import { shop } from "./shop.mjs";
import { travel } from "./travel.mjs";
import { play } from "./world.mjs";

const worlds = { home, calendar, shop, files, bank, notes, travel, music };

/** The category that these questions are. */
export const MULTI_TURN = "multi_turn";

/**
 * `{ id, category, level, start, tools, turns: [{ say, calls, state }] }`: `calls` carry out the user's request of that
 * turn, and `state` is the state after all calls so far. `level`: 1 (one tool, one argument) to 3. `tools` can be run
 * (`play`).
 */
export const scenarios = Object.entries(worlds).flatMap(([name, world]) =>
  world.scenarios.map(({ level, tools: names, turns }, i) => {
    const tools = names.map((one) => ({ name: one, ...world.tools[one] }));
    let state = world.start;
    return {
      ...{ id: `${MULTI_TURN}_${name}_${i + 1}`, category: MULTI_TURN, level, start: state, tools },
      turns: turns.map(([say, ...made]) => {
        const calls = made.map(([tool, args]) => ({ name: tool, arguments: args }));
        for (const call of calls) ({ state } = play(tools, state, call));
        return { say, calls, state };
      }),
    };
  }),
);
