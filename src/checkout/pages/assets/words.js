// What the scripts say, in the language of the page, whose own script teaches it first (`words-<language>.js`).

/** @type {Record<string, string>} */
const messages = {};

/** Takes the messages of a language. @param {Record<string, string>} some */
export const learn = (some) => void Object.assign(messages, some);

/**
 * The message of this name, with its values filled in.
 * @param {string} name @param {Record<string, string | number>} [values]
 */
export const say = (name, values = {}) =>
  (messages[name] ?? name).replace(/\{(\w+)\}/g, (_all, value) => String(values[value] ?? ''));
