/**
 * Bytes as base64, where there is no `Buffer`.
 *
 * @example base64Of(new Uint8Array([72, 105])); // "SGk="
 */
export function base64Of(bytes: Uint8Array): string {
  let characters = "";
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}
