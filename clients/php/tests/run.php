<?php

/** Runs the tests of the client, all or those whose names contain the argument. Started by test/client/php.long.test.ts. */

declare(strict_types=1);

namespace Kasi\Tests;

require __DIR__ . '/../autoload.php';
require __DIR__ . '/support.php';

error_reporting(E_ALL);
// Traces hold arguments, as they do where nobody sets this.
ini_set('zend.exception_ignore_args', '0');
set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new \ErrorException($message, 0, $level, $file, $line);
});

$failed = 0;
$count = 0;
foreach (glob(__DIR__ . '/*Test.php') ?: [] as $file) {
    foreach (require $file as $name => $test) {
        if (isset($argv[1]) && !str_contains(basename($file) . " $name", $argv[1])) {
            continue;
        }
        $count += 1;
        try {
            $test();
        } catch (\Throwable $error) {
            $failed += 1;
            fwrite(STDERR, basename($file) . ": $name\n  $error\n");
        }
    }
}
echo "$count tests, $failed failed\n";
exit($failed > 0 || $count === 0 ? 1 : 0);
