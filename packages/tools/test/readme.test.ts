import * as z from "zod";
import { describeReadme } from "../../../test/support/readme-examples.js";
import * as tools from "../src/index.js";

describeReadme(new URL("../README.md", import.meta.url), { count: 6, scope: { ...tools, z: z.z } });
