/** A package of a lock file, as npm writes it; only what is read here. */
type Locked = {
  readonly version?: string;
  readonly dev?: true;
  readonly devOptional?: true;
  readonly optional?: true;
  readonly peer?: true;
  readonly resolved?: string;
  readonly link?: true;
} & Needs;

/** What a package is installed with. */
type Needs = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
};

export type Lock = { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> };

type Manifest = Needs & { readonly name: string; readonly version: string };

type Edge = { readonly name: string; readonly range: string; readonly mayLack: boolean };

type Need = { readonly place: string; isOptional: boolean; isExact: boolean };

const FOLDER = 'node_modules/';

/** Versions as they are tested. See decision scripts/the-package-pins-what-it-needs. */
export type Pinned = {
  /** All that is installed beside the package, by its version; a dependency of each machine's package. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The `npm-shrinkwrap.json`: exactly what is installed where, and the hash of each. */
  readonly shrinkwrap: object;
  /** What neither the dependencies nor any package names by an exact version. */
  readonly loose: readonly string[];
};

/**
 * What a package that is made of this project needs, at the places and in the versions of the lock file, and nothing
 * else. Throws if the lock file has not all of it. No registry is named: each machine asks its own.
 */
export function pin(manifest: Manifest, { lockfileVersion, packages }: Lock): Pinned {
  const needs = collect(manifest, packages);
  const entries = needs.map(({ place, isOptional }) => [place, entryOf(packages[place] as Locked, isOptional)]);
  const versionOf = ({ place }: Need): string => packages[place]?.version ?? '';
  const isPinned = ({ place, isOptional }: Need): boolean => !isOptional && place.lastIndexOf(FOLDER) === 0;
  const dependencies = Object.fromEntries(
    needs.filter(isPinned).map((need) => [need.place.slice(FOLDER.length), versionOf(need)]),
  );
  const root = { ...manifest, dependencies };
  const { name, version } = manifest;
  return {
    dependencies,
    shrinkwrap: {
      ...{ name, version, lockfileVersion, requires: true },
      packages: Object.fromEntries([['', root], ...entries]),
    },
    loose: needs.filter((need) => !isPinned(need) && !need.isExact).map(({ place }) => place),
  };
}

/** Every package that is reached, in the order of npm. */
function collect(manifest: Manifest, packages: Lock['packages']): Need[] {
  const found = new Map<string, Need>();
  const visit = (from: string, needs: Needs, isOptional: boolean): void => {
    for (const { name, range, mayLack } of edgesOf(needs)) {
      const place = findPlace(packages, from, name);
      if (place === undefined) {
        if (mayLack) continue;
        throw new Error(`package-lock.json has no ${name} for ${from || manifest.name}; npm run lockfile completes it`);
      }
      const before = found.get(place);
      const need = before ?? { place, isOptional: true, isExact: false };
      const isNews = before === undefined || (need.isOptional && !isOptional && !mayLack);
      need.isOptional &&= isOptional || mayLack;
      need.isExact ||= range === packages[place]?.version;
      found.set(place, need);
      if (isNews) visit(place, packages[place] as Locked, need.isOptional);
    }
  };
  visit('', manifest, false);
  return [...found.values()].sort((a, b) => a.place.localeCompare(b.place, 'en'));
}

/** `mayLack`: npm goes on without it, on a machine for which there is none. */
function edgesOf(needs: Needs): Edge[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = needs;
  const edges = (of: Readonly<Record<string, string>>, mayLack: boolean): Edge[] =>
    Object.entries(of).map(([name, range]) => ({ name, range, mayLack }));
  return [
    ...edges(dependencies, false).filter(({ name }) => !Object.hasOwn(optionalDependencies, name)),
    ...edges(peerDependencies, false).filter(({ name }) => peerDependenciesMeta[name]?.optional !== true),
    ...edges(optionalDependencies, true),
  ];
}

/** Where Node.js finds a package that another one, at `from`, imports. */
function findPlace(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${FOLDER}`)))) {
    const place = `${at === '' ? '' : `${at}/`}${FOLDER}${name}`;
    if (packages[place]) return place;
    if (at === '') return undefined;
  }
}

/** Without what npm notes of the whole project. */
function entryOf(locked: Locked, isOptional: boolean): object {
  const { dev, devOptional, optional, peer, resolved, link, ...entry } = locked;
  if (link) throw new Error(`${resolved} is a folder of this checkout, which no other machine has`);
  return { ...entry, ...(isOptional ? { optional: true } : {}) };
}
