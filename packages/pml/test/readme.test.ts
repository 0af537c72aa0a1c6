import { describeReadme } from "../../../test/support/readme-examples.js";
import * as pml from "../src/index.js";

describeReadme(new URL("../README.md", import.meta.url), { count: 3, scope: { ...pml } });
