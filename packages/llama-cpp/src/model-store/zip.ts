import { openPromise } from "yauzl";

/** The contents of a file in a zip archive. Throws if the archive has no such file. */
export async function* readZipMember(archive: string, member: string): AsyncGenerator<Buffer> {
  const zip = await openPromise(archive, { autoClose: false, lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== member) continue;
      yield* await zip.openReadStreamPromise(entry);
      return;
    }
  } finally {
    zip.close();
  }
  throw new Error(`${archive} has no file ${member}`);
}
