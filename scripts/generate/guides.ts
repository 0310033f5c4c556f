import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INCIDENT_KINDS, type KindOfIncident } from '../../src/incidents/kinds.ts';

const FOLDER = 'openapi/guides';

type Described = { readonly info: { readonly description: string; readonly 'x-guides': readonly string[] } };

/**
 * The contract with its guides: appends the files of openapi/guides that `x-guides` names to the description, in that
 * order. The chapter of incidents goes on with a section for each kind. Throws if a named file does not exist, or an
 * existing one is not named.
 */
export async function withGuides<Contract>(contract: Contract & Described): Promise<Contract> {
  const { 'x-guides': names, ...info } = contract.info;
  const files = (await readdir(FOLDER)).map((file) => file.replace(/\.md$/, ''));
  const unnamed = files.filter((name) => !names.includes(name));
  if (unnamed.length > 0) {
    throw new Error(`${FOLDER} has ${unnamed.join(', ')}, which x-guides in openapi/openapi.yaml does not name.`);
  }
  const texts = await Promise.all(names.map(readGuide));
  const whole = [info.description, ...texts].map((text) => text.trim()).join('\n\n');
  return { ...contract, info: { ...info, description: `${whole}\n` } };
}

async function readGuide(name: string): Promise<string> {
  const text = await readFile(join(FOLDER, `${name}.md`), 'utf8');
  return name === 'incidents' ? `${text.trim()}\n\n${describeKinds(INCIDENT_KINDS)}` : text;
}

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
  unknown: 'not known here',
  withdrawal: 'the id of a withdrawal',
};
