/** Runs samples in one process: one line of JSON in for each, one out on the third file. See sample-runner.ts. */
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

let printed = '';
process.stdout.write = (text) => {
  printed += text;
  return true;
};
for await (const line of createInterface({ input: process.stdin })) {
  const { file, env } = JSON.parse(line);
  Object.assign(process.env, env);
  printed = '';
  const problem = await import(pathToFileURL(resolve(file)).href).then(
    () => null,
    (error) => String(error?.stack ?? error),
  );
  writeSync(3, `${JSON.stringify({ printed, problem })}\n`);
}
