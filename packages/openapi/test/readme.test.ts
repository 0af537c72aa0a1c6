import { createServer } from "node:http";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as openapi from "../src/index.js";

describeReadme(new URL("../README.md", import.meta.url), { count: 1, scope: { ...openapi, createServer } });
