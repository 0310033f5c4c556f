<?php

/** Loads the client without Composer: `require 'clients/php/autoload.php';` */

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Kasi\\')) {
        return;
    }
    $name = substr($class, strlen('Kasi\\'));
    // All groups of methods stand in one file for each client.
    $file = match (true) {
        !str_starts_with($name, 'Generated\\') => str_replace('\\', '/', $name),
        $name === 'Generated\\Types' => 'Generated/Types',
        str_starts_with($name, 'Generated\\Admin') => 'Generated/admin-surface',
        default => 'Generated/surface',
    };
    $path = __DIR__ . "/src/$file.php";
    if (is_file($path)) {
        require_once $path;
    }
});
