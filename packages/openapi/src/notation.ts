/** `{name}` in a path, or in a server's URL. Takes linear time, whatever the text. */
export const TEMPLATE_EXPRESSIONS = /\{([^{}]*)\}/g;

/** The name of a method or of a header (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
