/** How long a server may take to answer, in ms. */
const TIMEOUT = 2000;

/** Whether a server answers at all. An error status counts: the server may need a key, or have no list of models. */
export async function isReachable(baseURL: string): Promise<boolean> {
  try {
    const models = new URL(baseURL);
    models.pathname = `${models.pathname.replace(/\/+$/, "")}/models`;
    const response = await fetch(models, {
      signal: AbortSignal.timeout(TIMEOUT),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
