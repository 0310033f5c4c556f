import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { INCIDENT_KINDS } from '../../src/incidents/kinds.ts';
import { serviceTest } from '../fixture.ts';

const test = serviceTest();
const RULES = 'deploy/prometheus/rules.yaml';

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
};

const rules = (): Rule[] =>
  (parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);

type Panel = { readonly title: string; readonly type: string; readonly targets?: readonly { readonly expr: string }[] };

const panels = (): Panel[] =>
  (JSON.parse(readFileSync('deploy/grafana/kasi.json', 'utf8')) as { panels: Panel[] }).panels;

/** The metrics of an expression, each with the labels that are asked of it there. */
function asked(expr: string): { metric: string; labels: string[] }[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/, */));
  return [...expr.matchAll(/\b(kasi_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    metric: name.replace(/_(bucket|sum|count)$/, ''),
    labels: [...grouped, ...[...matchers.matchAll(/(\w+)[=!]/g)].map(([, label = '']) => label)],
  }));
}

/** What Prometheus itself adds. */
const OF_PROMETHEUS = new Set(['instance', 'job', 'le']);

test('every metric of the alerts and of the dashboard is in a scrape, with these labels', async ({ service }) => {
  const text = await service.metrics();
  const { registry } = service.service.platform.meters;
  const expressions = [
    ...rules().map(({ expr }) => expr),
    ...panels()
      .flatMap((p) => p.targets ?? [])
      .map((t) => t.expr),
  ];
  const used = expressions.flatMap(asked);
  expect(used.length).toBeGreaterThan(50);
  for (const { metric, labels } of used) {
    expect(text, metric).toContain(`# TYPE ${metric} `);
    const { labelNames } = registry.getSingleMetric(metric) as unknown as { labelNames: string[] };
    expect(labelNames, metric).toEqual(
      expect.arrayContaining(labels.filter((label) => labelNames.includes(label) || !OF_PROMETHEUS.has(label))),
    );
  }
  // And the other way round: a metric that nobody looks at should not be there.
  const own = [...text.matchAll(/^# TYPE (kasi_\w+) /gm)].map(([, name = '']) => name);
  expect(own.filter((name) => !used.some(({ metric }) => metric === name))).toEqual([]);
});

test('an alert says how severe it is, what happened, and where its runbook stands', () => {
  const kinds = Object.keys(INCIDENT_KINDS);
  for (const { alert, labels, annotations } of rules()) {
    expect(['critical', 'warning'], alert).toContain(labels['severity']);
    expect(annotations['summary'], alert).toMatch(/[.]$/);
    expect([...kinds, 'README, Operation'], alert).toContain(annotations['runbook']);
  }
  const readme = readFileSync('README.md', 'utf8');
  expect(readme).toContain('\n## Operation\n');
  for (const { alert, annotations } of rules())
    if (annotations['runbook'] === 'README, Operation') expect(readme, alert).toContain(`\`${alert}\``);
});

test('the help of the metrics and their names follow the conventions', async ({ service }) => {
  const text = await service.metrics();
  const own = [...text.matchAll(/^# TYPE (kasi_\w+) (\w+)$/gm)];
  expect(own.length).toBeGreaterThan(30);
  for (const [, name = '', type = ''] of own) {
    expect(text, name).toMatch(new RegExp(`^# HELP ${name} .+\\.$`, 'm'));
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(name, name).not.toMatch(/_(ms|millis|milliseconds|minutes|kb|mb)(_|$)/);
  }
  expect(text).not.toMatch(/\b(pay|mer|evt|wdr)_[A-Za-z0-9]{8}/);
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
test.skipIf(!promtool)(
  `promtool agrees with the rules${promtool ? '' : ' (skipped: promtool is not installed)'}`,
  () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  },
);
