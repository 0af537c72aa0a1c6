// A reporter of vitest's: counts the tests, and names what failed, errors outside of tests included. Writes it as JSON to the
// file of the environment variable TOOLINGUA_TEST_REPORT.
import { writeFileSync } from "node:fs";

export default class Report {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        count[state] += 1;
        if (state === "failed") failures.push(`${module.relativeModuleId} > ${test.fullName}: ${errors[0]?.message}`);
      }
      for (const { message } of module.errors()) failures.push(`${module.relativeModuleId}: ${message}`);
    }
    for (const error of unhandledErrors) failures.push(`outside of the tests: ${error.stack ?? error.message}`);
    writeFileSync(process.env.TOOLINGUA_TEST_REPORT, JSON.stringify({ ...count, failures }));
  }
}
