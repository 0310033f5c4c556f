import { inOneLine, withoutLinks } from '../lib/shown-text.ts';
import { kindOf } from './present.ts';
import type { IncidentRow } from './queries.ts';

/** What a mail about incidents says. */
export type IncidentLetter = { readonly subject: string; readonly text: string; readonly html: string };

/** Which deployment it is about, and where its documentation is. */
export type Sender = { readonly place: string; readonly publicUrl: string };

type Block = { readonly heading: string; readonly lines: readonly string[]; readonly items: readonly string[] };

/** Tells of incidents that have opened: what each kind means and what to do, once for all of it. Pure. */
export function openedLetter(sender: Sender, rows: readonly IncidentRow[]): IncidentLetter {
  const blocks = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, alike]): Block => {
    const { severity, title, meaning, effect, action, end } = kindOf(kind);
    return {
      heading: `${severity.toUpperCase()}: ${title}`,
      lines: [meaning, `Meanwhile: ${effect}`, `What to do: ${action}`, end],
      items: alike.map(lineOf),
    };
  });
  const [first] = blocks;
  const more = blocks.length > 1 ? ` (and ${blocks.length - 1} more)` : '';
  return letterOf(sender, `${first?.heading ?? 'nothing'}${more}`, blocks);
}

/**
 * What is open, and what has ended since yesterday; undefined where that is nothing. `more` are left out. Pure.
 */
export function digestLetter(sender: Sender, rows: readonly IncidentRow[], more = 0): IncidentLetter | undefined {
  const isOver = ({ resolved_at }: IncidentRow): boolean => resolved_at !== null;
  const open = (severity: string): readonly IncidentRow[] =>
    rows.filter((row) => !isOver(row) && kindOf(row.kind).severity === severity);
  const parts = [
    ['Open, critical', open('critical')],
    ['Open, warnings', open('warning')],
    ['Over since yesterday', rows.filter(isOver)],
  ] as const;
  const blocks = parts
    .filter(([, some]) => some.length > 0)
    .map(
      ([heading, some]): Block => ({ heading: `${heading}: ${some.length}`, lines: [], items: some.map(titledLine) }),
    );
  if (blocks.length === 0) return undefined;
  const count = parts[0][1].length + parts[1][1].length;
  if (more > 0) blocks.push({ heading: `${more} more are left out here`, lines: [], items: [] });
  return letterOf(
    sender,
    `${count}${more > 0 ? ' or more' : ''} open ${count === 1 ? 'incident' : 'incidents'} this morning`,
    blocks,
  );
}

/** Merchants' names and nodes' words stand in messages: no mail makes links of them. */
const lineOf = (row: IncidentRow): string =>
  `${row.opened_at.toISOString()} ${row.subject}${row.network && row.network !== row.subject ? ` (${row.network})` : ''}: ${withoutLinks(inOneLine(row.message))} [${row.public_id}]`;

const titledLine = (row: IncidentRow): string =>
  `${kindOf(row.kind).title}. ${lineOf(row)}${row.acknowledged_at && !row.resolved_at ? ' Somebody looks after it.' : ''}`;

function letterOf({ place, publicUrl }: Sender, subject: string, blocks: readonly Block[]): IncidentLetter {
  const where = `What each kind means: ${publicUrl}/docs/guides/incidents. Decide by /v1/admin/incidents.`;
  const text = blocks.map(
    ({ heading, lines, items }) =>
      `${[heading, ...lines].join('\n\n')}\n\n${items.map((item) => `- ${item}`).join('\n')}`,
  );
  const html = blocks.map(
    ({ heading, lines, items }) =>
      `<h2>${escapeHtml(heading)}</h2>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}` +
      `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`,
  );
  return {
    subject: `[Kasi ${place}] ${subject}`,
    text: `${[...text, where].join('\n\n\n')}\n`,
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(subject)}</title><body>${html.join('')}<p>${escapeHtml(where)}</p></body></html>`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
