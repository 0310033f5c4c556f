/** A language whose chapter of the guide is followed word by word, in an empty folder. */
export type Language = {
  readonly name: string;
  /** The programs that it needs on this machine. */
  readonly needs: readonly string[];
  /** The info string of its code in the guide, and the file that the guide says it is in. */
  readonly fence: string;
  readonly file: string;
  /** Of `checks/`. */
  readonly check: string;
  /** Shell commands, after those of the guide. */
  readonly compile: string;
  readonly runProgram: string;
  readonly runCheck: string;
  /** Whether the check can take payments, too. */
  readonly takes: boolean;
};

/** `cp/*`, which Java itself opens, is what the generated client depends on. */
const CLASSES = "'.:kasi/target/classes:cp/*'";

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Go',
    needs: ['go', 'curl'],
    fence: 'go',
    file: 'main.go',
    check: 'check_test.go',
    compile: 'go vet ./...',
    runProgram: 'go run .',
    runCheck: 'go test -count=1 -run TestCheck -v .',
    takes: true,
  },
  {
    name: 'Python',
    needs: ['python3', 'curl'],
    fence: 'python',
    file: 'shop.py',
    check: 'check.py',
    compile: 'venv/bin/python -m compileall -q kasi shop.py check.py',
    runProgram: 'venv/bin/python shop.py',
    runCheck: 'venv/bin/python check.py',
    takes: true,
  },
  {
    name: 'Java',
    needs: ['java', 'javac', 'mvn', 'curl'],
    fence: 'java',
    file: 'Shop.java',
    check: 'Check.java',
    compile: [
      'mvn -q -B -f kasi/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/cp" -DincludeScope=runtime',
      `javac -cp ${CLASSES} Shop.java Check.java`,
    ].join('\n'),
    runProgram: `java -cp ${CLASSES} Shop`,
    runCheck: `java -cp ${CLASSES} Check`,
    takes: false,
  },
];

/** A generator that only has to write what compiles. Its commands get the jar of OpenAPI Generator as $JAR. */
export type Compiled = { readonly name: string; readonly needs: readonly string[]; readonly commands: string };

const generate = (target: string): string =>
  `java -jar "$JAR" generate -g ${target} -i "$DOCUMENT" -o . > generated.log || { cat generated.log; exit 1; }`;

export const COMPILED: readonly Compiled[] = [
  {
    name: 'OpenAPI Generator: python',
    needs: ['java', 'mvn', 'python3'],
    commands: [
      generate('python'),
      'python3 -m venv venv',
      'venv/bin/pip install -q -r requirements.txt',
      `venv/bin/python -c "
import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, 'openapi_client.'):
    importlib.import_module(module.name)
"`,
    ].join('\n'),
  },
  {
    name: 'OpenAPI Generator: go',
    needs: ['java', 'mvn', 'go'],
    commands: [generate('go'), 'rm -rf test', 'go mod tidy', 'go build ./...'].join('\n'),
  },
  {
    name: 'OpenAPI Generator: rust',
    needs: ['java', 'mvn', 'cargo'],
    commands: [generate('rust'), 'cargo check -q'].join('\n'),
  },
];

/** As the guide fetches it for Java. */
export const GENERATOR = 'openapi-generator-cli-7.25.0';
export const FETCH_GENERATOR = [
  'mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy',
  '-Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.',
].join(' ');
