import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

type Elements = ReturnType<typeof parse>;

/** The arguments of an ICU message and their types in TypeScript, in the order in which they come. */
export function argumentsOf(message: string): Map<string, string> {
  const found = new Map<string, string>();
  collect(parse(message), found);
  return found;
}

function collect(elements: Elements, found: Map<string, string>): void {
  for (const element of elements) {
    if (element.type === TYPE.argument && !found.has(element.value)) found.set(element.value, 'string | number');
    if (element.type === TYPE.plural) found.set(element.value, 'number');
    if (element.type === TYPE.select) found.set(element.value, 'string');
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      for (const option of Object.values(element.options)) collect(option.value, found);
    }
    if (element.type === TYPE.tag) collect(element.children, found);
  }
}
