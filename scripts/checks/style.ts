/**
 * Holds our files to the house style that no other tool checks: the length of files and functions, where time and the
 * environment come from, and what must not be in a repository. Every message says what to do instead.
 */
import { isStarted, readSourceFiles, report } from './source-files.ts';
import { findTextFaults } from './text-rules.ts';
import { findTreeFaults } from './tree-rules.ts';

if (isStarted(import.meta)) {
  const files = readSourceFiles();
  const faults = files.flatMap((file) => [...findTextFaults(file), ...findTreeFaults(file)]);
  report(faults, `${files.length} files keep to the house style.`);
}
