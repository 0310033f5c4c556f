import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'openapi/guides';

type Described = { readonly info: { readonly description: string; readonly 'x-guides': readonly string[] } };

/**
 * The contract with its guides: appends the files of openapi/guides that `x-guides` names to the description, in that
 * order. Throws if a named file does not exist, or an existing one is not named.
 */
export async function withGuides<Contract>(contract: Contract & Described): Promise<Contract> {
  const { 'x-guides': names, ...info } = contract.info;
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.md$/, ''));
  const unnamed = files.filter((name) => !names.includes(name));
  if (unnamed.length > 0) {
    throw new Error(`${FOLDER} has ${unnamed.join(', ')}, which x-guides in openapi/openapi.yaml does not name.`);
  }
  const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, `${name}.md`), 'utf8')));
  const whole = [info.description, ...texts].map((text) => text.trim()).join('\n\n');
  return { ...contract, info: { ...info, description: `${whole}\n` } };
}
