import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import ignore from "@balena/dockerignore";
import { type Copy, DockerfileParser, type From, type Instruction } from "dockerfile-ast";

/** A stage of an image, as a folder that represents its `/`. */
export interface Stage {
  root: string;
  workdir: string;
  env: Record<string, string>;
  user?: string;
  cmd: string[];
  healthcheck: string[];
}

/**
 * Builds what a Dockerfile says without Docker: each stage is a folder, RUN works in it with the programs of this machine.
 * Commands have to keep to relative paths. Gives the last stage.
 *
 * Errors: those of the commands, and an `Error` for an instruction that is not known here.
 */
export function buildImage({ file, context, folder }: { file: string; context: string; folder: string }): Stage {
  const stages: (Stage & { name?: string | undefined })[] = [];
  for (const instruction of DockerfileParser.parse(readFileSync(file, "utf8")).getInstructions()) {
    if (instruction.getKeyword() === "FROM") {
      const name = (instruction as From).getBuildStage() ?? undefined;
      const root = join(folder, `stage-${stages.length}`);
      stages.push({ name, root, workdir: "/", env: {}, cmd: [], healthcheck: [] });
      mkdirSync(root);
    } else apply(instruction, stages.at(-1)!);
  }
  return stages.at(-1)!;

  function apply(instruction: Instruction, stage: Stage): void {
    const words = instruction.getArgumentsContent() ?? "";
    switch (instruction.getKeyword()) {
      case "WORKDIR":
        stage.workdir = words;
        mkdirSync(join(stage.root, words), { recursive: true });
        return;
      case "ENV": {
        const [, name, value] = /^(\w+)=(\S+)$/.exec(words)!;
        stage.env[name!] = value!;
        return;
      }
      case "COPY":
        return copy(instruction as Copy, stage);
      case "RUN":
        execFileSync("/bin/sh", ["-c", words], {
          cwd: join(stage.root, stage.workdir),
          env: { ...process.env, ...stage.env },
          stdio: ["ignore", "inherit", "inherit"],
        });
        return;
      case "USER":
        stage.user = words;
        return;
      case "CMD":
        stage.cmd = JSON.parse(words);
        return;
      case "HEALTHCHECK":
        stage.healthcheck = JSON.parse(/CMD (\[.*\])$/.exec(words)![1]!);
        return;
      case "EXPOSE":
      case "STOPSIGNAL":
        return;
      default:
        throw new Error(`This builder does not know ${instruction.getKeyword()}.`);
    }
  }

  function copy(instruction: Copy, { root, workdir }: Stage): void {
    const paths = instruction.getArguments().map((argument) => argument.getValue());
    const target = paths.pop()!;
    const to = target.startsWith("/") ? join(root, target) : join(root, workdir, target);
    const stage = instruction.getFromFlag()?.getValue();
    const source = stage == null ? context : stages.find(({ name }) => name === stage)!.root;
    const ignored = ignore.default().add(stage == null ? readFileSync(`${file}.dockerignore`, "utf8") : "");
    const filter = (path: string) => path === source || !ignored.ignores(relative(source, path));
    for (const path of paths) {
      const from = join(source, path.replace(/^\.$|\/$/, ""));
      const isInto = target.endsWith("/") && statSync(from).isFile();
      cpSync(from, isInto ? join(to, basename(from)) : to, { recursive: true, verbatimSymlinks: true, filter });
    }
  }
}
