import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KindOfIncident } from '../../src/incidents/kind.ts';
import { INCIDENT_KINDS } from '../../src/incidents/kinds.ts';

const FOLDER = 'openapi/guides';
/** Where the contract says that the service is. The service puts its own address there. */
const ADDRESS = 'http://localhost:3000';

/** Whose guides they are: merchants read one book, those who run the service the other. */
export type Book = 'merchants' | 'operators';
/** One entry of `x-guides` in openapi/openapi.yaml. */
export type Group = { readonly title: string; readonly book?: Book; readonly guides: readonly string[] };
type Described = { readonly info: { readonly description: string; readonly 'x-guides': readonly Group[] } };

/**
 * The contract with links to its guides at the end of the description. Throws if `x-guides` names a file that does not
 * exist in openapi/guides, does not name an existing one, or names one twice.
 */
export async function withGuides<Contract>(contract: Contract & Described): Promise<Contract> {
  const { info } = contract;
  const groups = info['x-guides'];
  const names = groups.flatMap(({ guides }) => guides);
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.md$/, ''));
  const unnamed = files.filter((name) => !names.includes(name));
  if (unnamed.length > 0) {
    throw new Error(`${FOLDER} has ${unnamed.join(', ')}, which x-guides in openapi/openapi.yaml does not name.`);
  }
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length > 0) throw new Error(`x-guides in openapi/openapi.yaml names ${twice.join(', ')} twice.`);
  const lists = await Promise.all(groups.map(linksOf));
  const description = [info.description.trim(), ABOUT_DOCS, ...lists].join('\n\n');
  return { ...contract, info: { ...info, description: `${description}\n` } };
}

const ABOUT_DOCS =
  `The guides are at [${ADDRESS}/docs](${ADDRESS}/docs). Each is Markdown, too: add \`.md\` to its address. ` +
  `[${ADDRESS}/llms.txt](${ADDRESS}/llms.txt) lists all of them for programs that read.`;

async function linksOf({ title, guides }: Group): Promise<string> {
  const links = await Promise.all(
    guides.map(async (name) => `[${titleOf(await readGuide(name))}](${ADDRESS}/docs/guides/${name})`),
  );
  return `**${title}**: ${links.join(', ')}.`;
}

/** The text of a guide, as it is published. The chapter of incidents goes on with a section for each kind. */
export async function readGuide(name: string): Promise<string> {
  const text = await readFile(join(FOLDER, `${name}.md`), 'utf8');
  return name === 'incidents' ? `${text.trim()}\n\n${describeKinds(INCIDENT_KINDS)}\n` : text;
}

/** The heading of a guide. */
export const titleOf = (text: string): string => text.split('\n', 1)[0]?.replace(/^# /, '').trim() ?? '';

/** A section for each kind of incident, under its name. */
const describeKinds = (kinds: Readonly<Record<string, KindOfIncident>>): string =>
  Object.entries(kinds)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, kind]) => describeKind(name, kind))
    .join('\n\n');

const describeKind = (name: string, kind: KindOfIncident): string => {
  const { title, severity, resource, meaning, effect, action, end, retry } = kind;
  const again = retry === undefined ? '' : `\n| Trying again | ${retry} |`;
  return `### ${name}

${title} (\`${severity}\`; the subject is ${THE_SUBJECT[resource]}).

| | |
|---|---|
| It means | ${meaning} |
| It touches | ${effect} |
| What to do | ${action} |
| It ends | ${end} |${again}`;
};

const THE_SUBJECT: Readonly<Record<KindOfIncident['resource'], string>> = {
  account: 'the id of a merchant or an administrator',
  change: 'the id of a change',
  charge: 'the id of a charge',
  currency_pair: 'a pair of currencies',
  endpoint: 'a network and the host of one of its endpoints',
  ledger: 'the ledger',
  mail_server: 'the host and port of a mail server',
  mandate: 'the id of a mandate',
  network: 'the name of a network',
  operator_account: 'a network and the address of an account',
  operator_transaction: 'the id of a transaction of ours',
  payment: 'the id of a payment',
  refund: 'the id of a refund',
  subscription: 'the id of a subscription',
  tallies: 'the tallies',
  unknown: 'not known here',
  withdrawal: 'the id of a withdrawal',
};
