/** A command of an operator: what `kasi help` says of it, and the file that does it. */
export type Command = {
  /** As it is typed, in one word or two. */
  readonly name: string;
  /** In `scripts/`, without its extension; it runs when it is imported. */
  readonly file: string;
  readonly does: string;
  /** What follows the name, a line for each way. */
  readonly usage: readonly string[];
  /** Arguments, options and settings, with what each means. */
  readonly takes: readonly (readonly [name: string, meaning: string])[];
  readonly notes?: string;
  /** It runs until it is stopped, so there is no end at which it could print a document. */
  readonly endless?: true;
  /** As they are typed, after `kasi`. */
  readonly examples: readonly string[];
};

const OWNER = ['DATABASE_OWNER_URL', 'the role that owns the tables; `npx kasi database roles` makes it'] as const;
const NETWORK = ['<network>', 'its name in the file of KASI_NETWORKS'] as const;
const WHO = [
  'KASI_MODE, DEPLOYMENT_ID',
  'as the processes have them; a database that is there already has to be this deployment’s',
] as const;

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    file: 'kasi/start',
    does: 'runs the service until it is stopped',
    usage: [''],
    takes: [['KASI_MODE', 'sandbox unless it says `live`; the README lists all settings']],
    notes: 'SIGTERM lets it finish what it is doing, within 30 seconds.',
    endless: true,
    examples: ['start'],
  },
  {
    name: 'doctor',
    file: 'doctor',
    does: 'examines settings, database, keys, networks, endpoints, watchers and jobs, and changes nothing',
    usage: [''],
    takes: [],
    notes: 'Exits with 0 if all is well, and with 1 after naming every problem with its cure.',
    examples: ['doctor', 'doctor --json'],
  },
  {
    name: 'database roles',
    file: 'database-roles',
    does: 'makes or mends the two roles of a live database: the owner’s and the application’s',
    usage: ['[--prefix <name>]', '--new-passwords [--of-all] [--prefix <name>]'],
    takes: [
      [
        'DATABASE_ADMIN_URL',
        'a superuser, or a role that may make roles and databases, and the name of Kasi’s database',
      ],
      WHO,
      ['--new-passwords', 'replaces the passwords of roles that are there; not where another database has them, too'],
      ['--of-all', 'does so there as well: the processes of all these databases need the new ones'],
      ['--prefix <name>', 'calls them <name>_owner and <name>_app; for a second deployment on the same server'],
    ],
    notes:
      'Makes the database if there is none, the role kasi_owner, which gets everything in it, and the role kasi_app, which gets what the application needs. Other roles may not log in to it any more. May be repeated. Passwords are generated for new roles, and shown only then.',
    examples: ['database roles'],
  },
  {
    name: 'migrate',
    file: 'migrate',
    does: 'brings the schema up to this release, and grants the application’s role its rights',
    usage: [''],
    takes: [
      WHO,
      ['MASTER_KEY', 'compared with the database if it is set'],
      OWNER,
      ['DATABASE_URL', 'the application’s role, which gets its rights anew'],
    ],
    notes: 'May run beside processes of the release before. Of several at once one migrates.',
    examples: ['migrate'],
  },
  {
    name: 'admin',
    file: 'admin',
    does: 'makes an administrator, or lets one back in',
    usage: ['<e-mail> [--reset-two-factor] [--activate]', '<e-mail> --new'],
    takes: [
      ['<e-mail>', 'of an administrator: gets a new password, and all sessions end; the first one is made'],
      ['--new', 'makes another administrator with this address and the role super_admin'],
      [
        '--reset-two-factor',
        'turns two-factor authentication off, for who has lost the app and the recovery codes; else it stays',
      ],
      ['--activate', 'lets a deactivated administrator log in again; else they stay deactivated'],
      [
        'ADMIN_EMAIL, ADMIN_PASSWORD',
        'the password, if this is the address; else one is generated and shown only here',
      ],
    ],
    examples: [
      'admin nimal@example.org',
      'admin kamala@example.org --new',
      'admin nimal@example.org --reset-two-factor',
    ],
  },
  {
    name: 'backup',
    file: 'backup',
    does: 'writes a copy of the database, of one moment, to a sealed file, beside the running service',
    usage: ['<file>'],
    takes: [
      ['<file>', 'must not be there yet'],
      WHO,
      OWNER,
      ['BACKUP_KEY', '32 random bytes (openssl rand -hex 32), not the MASTER_KEY; keep both where the files are not'],
    ],
    examples: ['backup /backups/kasi-2026-11-26'],
  },
  {
    name: 'restore',
    file: 'restore',
    does: 'brings a backup into an empty database, proves it, and says what was lost since',
    usage: ['<file>', '--check <file>', '--release', '--release --as <deployment>'],
    takes: [
      ['--check', 'only reads and proves the file; needs BACKUP_KEY alone'],
      ['--release', 'says what was lost since the copy was taken'],
      ['--as', 'lets processes of this DEPLOYMENT_ID start on it; until then nothing does'],
      ['KASI_MODE, DEPLOYMENT_ID', 'those of the original'],
      ['DATABASE_OWNER_URL', 'the role that owns the empty database; `npx kasi database roles` makes both'],
      ['DATABASE_URL', 'the application’s role, which gets its rights'],
      ['BACKUP_KEY', 'the key that sealed the file'],
      ['MASTER_KEY, MASTER_KEYS_OLD', 'prove that they open what is in it, and that the audit log is whole'],
    ],
    examples: ['restore /backups/kasi-2026-11-26', 'restore --release --as shop-production'],
  },
  {
    name: 'reset-password',
    file: 'reset-password',
    does: 'lets a merchant in again who has lost the password, or whose account was taken',
    usage: ['<e-mail or id of a merchant> <reason>'],
    takes: [['<reason>', 'stands in the audit log. Verify first who asks']],
    notes:
      'Shows a new password, only here, and ends all sessions. Two-factor authentication and API keys stay as they are.',
    examples: ['reset-password shop@example.org "verified by phone, ticket 4711"'],
  },
  {
    name: 'reset-two-factor',
    file: 'reset-two-factor',
    does: 'lets a merchant in again who has lost the app and every recovery code',
    usage: ['<e-mail or id of a merchant> <reason>'],
    takes: [['<reason>', 'stands in the audit log. Verify first who asks']],
    notes: 'Turns two-factor authentication off and ends all sessions.',
    examples: ['reset-two-factor shop@example.org "verified by phone, ticket 4711"'],
  },
  {
    name: 'reconcile',
    file: 'reconcile',
    does: 'compares the ledger with everything else in the database, and with the chains',
    usage: ['[--all]', '--reread <network>'],
    takes: [
      ['--all', 'compares every deposit address and every payout there ever was, and not only some of the older ones'],
      [
        '--reread',
        'first forgets what was read of the network’s treasury, and reads it all again; not on a copy that was restored and not released',
      ],
      NETWORK,
    ],
    notes:
      'Exits with 0 if nothing is wrong, and with 1 after listing every finding (--json: their number and the first 10,000), or if a network could not be compared. Names networks that are no longer listed, and what their treasuries held, as a notice. Changes no money.',
    examples: ['reconcile', 'reconcile --all --json'],
  },
  {
    name: 'audit verify',
    file: 'audit-verify',
    does: 'verifies that no entry of the audit log was changed, removed or moved',
    usage: ['[--key <public key>] [<sequence>:<hash>]'],
    takes: [
      ['--key', 'the public key that signs, as an earlier run printed it; without it the master key is needed'],
      ['<sequence>:<hash>', 'an entry as an earlier run told it: everything up to it must still be there'],
    ],
    notes: 'Exits with 0 if so, and with 1 after naming the first entry that is not what was written.',
    examples: ['audit verify'],
  },
  {
    name: 'rescan',
    file: 'rescan',
    does: 'reads confirmed blocks of a network again and credits what was missed; never twice',
    usage: ['<network> <from> <to>'],
    takes: [NETWORK, ['<from> <to>', 'the numbers of the first and the last block; the last has to be confirmed']],
    notes:
      'Runs beside the service. The same command goes on after an interruption. Exits with 1 after naming the blocks that one of several endpoints did not show.',
    examples: ['rescan base 21000000 21000500'],
  },
  {
    name: 'recover',
    file: 'recover',
    does: 'credits what was paid to a deposit address on a network that was listed here only later',
    usage: ['<network> <address>'],
    takes: [NETWORK, ['<address>', 'a deposit address of a payment, open or over, which may ask for other networks']],
    notes:
      'The service has to have begun to read the network. May be repeated. Exits with 1 after naming what one of several endpoints did not show.',
    examples: ['recover base 0x5b2c…'],
  },
  {
    name: 'sweep',
    file: 'sweep',
    does: 'moves deposits into the treasury where that pays',
    usage: ['[--dry-run] [--no-wait] [<network> [<token>]]', '[--no-wait] <network> native <payment> …'],
    takes: [
      NETWORK,
      ['native', 'the network’s own coin at the addresses of these payments, where no merchant was credited with it'],
      ['--dry-run', 'says what would be swept, what it would cost and what has to wait; needs no key'],
      ['--no-wait', 'does not wait until the running service has sent it'],
      [
        'SWEEP_KEY',
        'the private key of the account that pays the gas; it can send deposits nowhere but to the treasury (the sandbox has its own; OPERATOR_KEY sweeps no longer)',
      ],
    ],
    notes:
      'Exits with 0 if nothing went wrong; what does not pay yet waits. Exits with 1 after naming what could not be swept, was reverted, or was sent to no node within a minute.',
    examples: ['sweep --dry-run', 'sweep base USDC'],
  },
  {
    name: 'contracts deploy',
    file: 'contracts-deploy',
    does: 'deploys the deposit factory and the subscription collector to a network',
    usage: ['<treasury> [<owner> <operator>]'],
    takes: [
      ['<treasury>', 'the address that gets all deposits and charges, for ever; it must be yours on every network'],
      ['<owner>', 'may replace the operator and pause the charging of subscriptions; a key that is on no server'],
      [
        '<operator>',
        'charges subscriptions: the account of the service’s OPERATOR_KEY; without these two only the deposit factory',
      ],
      ['EVM_RPC_URL', 'a node of the network'],
      ['DEPLOY_KEY', 'the private key that pays the gas and gets no power by it; without it nothing is sent'],
    ],
    examples: ['contracts deploy 0x5b2c…'],
  },
  {
    name: 'contracts verify',
    file: 'contracts-verify',
    does: 'compares the deployed contracts with our sources, and writes what block explorers verify them by',
    usage: ['<network> [<folder>]'],
    takes: [NETWORK, ['<folder>', 'gets the standard JSON input of each contract, which Etherscan and Sourcify take']],
    examples: ['contracts verify base papers'],
  },
  {
    name: 'keys rewrap',
    file: 'keys-rewrap',
    does: 'wraps what is stored by the current master key, so that former ones can go',
    usage: [''],
    takes: [
      ['MASTER_KEY, MASTER_KEYS_OLD', 'as the processes have them, which were restarted with the new key before'],
    ],
    notes: 'Runs beside the service. May be repeated.',
    examples: ['keys rewrap'],
  },
  {
    name: 'deployment adopt',
    file: 'deployment-adopt',
    does: 'makes a restored copy of a database a deployment of its own',
    usage: ['<original> <copy>'],
    takes: [
      ['<original> <copy>', 'the DEPLOYMENT_ID of both'],
      ['DATABASE_OWNER_URL', 'the COPY’s, never the original’s: from then on it starts only under its own id'],
    ],
    notes:
      'Give the copy an OPERATOR_KEY and nodes of its own before it starts. It needs the MASTER_KEY of the original to read what it holds, and would deliver the webhooks that were due when it was copied: empty webhook_endpoints first.',
    examples: ['deployment adopt shop-production shop-drill'],
  },
];

const WIDTH = 100;

/** What `--help` prints, and what a wrong call is answered with. */
export function helpOf({ name, does, usage, takes, notes, examples }: Command): string {
  const left = Math.max(...takes.map(([each]) => each.length), 0) + 4;
  const lines = takes.flatMap(([each, meaning]) =>
    wrap(meaning, WIDTH - left).map((line, at) => `${(at === 0 ? `  ${each}` : '').padEnd(left)}${line}`),
  );
  return [
    ...usage.map((way, at) => `${at === 0 ? 'Usage:' : '      '} kasi ${name} ${way}`.trimEnd()),
    ...wrap(sentence(does), WIDTH),
    ...lines,
    ...(notes === undefined ? [] : wrap(notes, WIDTH)),
    ...examples.map((example, at) => `${at === 0 ? 'Examples:' : '         '} kasi ${example}`),
  ].join('\n');
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** What `kasi help` prints. */
export function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length)) + 2;
  return [
    'Usage: kasi <command> …',
    '',
    ...COMMANDS.map(({ name, does }) => `  ${name.padEnd(width)}${does}`),
    '',
    'kasi <command> --help says more. All but start take --json, which prints one document at the end.',
    'Exit codes: 0 all is well, 1 something is wrong or was refused, 2 the command was not understood.',
  ].join('\n');
}

/** What is wrong with the words behind a command that takes none; what others take, they judge themselves. */
export function faultOf({ name, usage, endless }: Command, rest: readonly string[]): string | undefined {
  if (endless && rest.includes('--json'))
    return `kasi ${name} prints lines until it is stopped, and no document; LOG_FORMAT=json makes each line JSON.`;
  const others = rest.filter((word) => word !== '--json');
  if (others.length === 0 || usage.some((way) => way !== '')) return undefined;
  return `kasi ${name} takes no arguments, and was given ${others.join(' ')}. Settings come from the environment.`;
}

/** The command that these words begin with, and the other words. Names of npm scripts (`audit:verify`) count, too. */
export function findCommand(
  words: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  const spread = [...(words[0] ?? '').split(':'), ...words.slice(1)];
  for (const command of COMMANDS) {
    const parts = command.name.split(' ');
    if (parts.every((part, at) => spread[at] === part)) return { command, rest: spread.slice(parts.length) };
  }
  return undefined;
}
