/** What this process was told differs from what the database belongs to. The message says what, and what to do. */
export class DeploymentRefusal extends Error {
  override readonly name = 'DeploymentRefusal';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `Kasi refuses this database, and nothing was changed:\n${problems.map((problem) => `  - ${problem}.`).join('\n')}`,
    );
    this.problems = problems;
  }
}
