import { type TextModel, ToolinguaError } from "@toolingua/core";
import { Failure } from "../failure.js";

/**
 * A model that the configuration gives as a function: what it throws is a failure of the upstream, without its message for the
 * client, who must not see what it may contain. Errors of Toolingua's own, such as those of an endpoint, stay as they are.
 *
 * Errors of a request: {@link Failure} (`upstream`).
 */
export function modelInCode(model: TextModel): TextModel {
  const watched: TextModel = async function* (request) {
    try {
      yield* model(request);
    } catch (error) {
      if (request.signal?.aborted || error instanceof Failure || error instanceof ToolinguaError) throw error;
      throw new Failure("upstream", "The model failed. See the gateway's log.", {
        code: "model_error",
        cause: error,
      });
    }
  };
  return Object.assign(watched, { abilities: model.abilities });
}
