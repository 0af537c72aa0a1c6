#!/usr/bin/env node
// Not compiled, so that an install before the first build finds it.
import { run } from "../dist/command.js";

process.exitCode = run(process.argv.slice(2));
