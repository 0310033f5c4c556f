<?php

// Runs samples in one process: one line of JSON in for each, one out on the third file. See sample-runner.ts.

declare(strict_types=1);

set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

/** A scope of its own for each. */
function runSample(string $sample): void
{
    include $sample;
}

$answers = fopen('php://fd/3', 'w');
while (($line = fgets(STDIN)) !== false) {
    $asked = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    foreach ($asked['env'] as $name => $value) {
        putenv("$name=$value");
    }
    $problem = null;
    ob_start();
    try {
        runSample(getcwd() . '/' . $asked['file']);
    } catch (Throwable $error) {
        $problem = (string) $error;
    }
    fwrite($answers, json_encode(['printed' => ob_get_clean(), 'problem' => $problem], JSON_THROW_ON_ERROR) . "\n");
}
