import { parseArgs } from "node:util";
import { openDatabase } from "./database.js";
import { runScenario } from "./scenario.js";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "3" },
    trips: { type: "string", default: "6" },
    json: { type: "boolean", default: false },
  },
});
const [workers, trips] = [Number(values.workers), Number(values.trips)];
if (!(workers >= 2 && trips > workers)) throw new Error("--workers is 2 or more, and --trips is above it.");

const database = await openDatabase();
try {
  const report = await runScenario(database.url, { workers, trips, seconds: 120, say: console.error });
  if (values.json) console.log(JSON.stringify(report));
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
