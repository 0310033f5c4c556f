<?php

/**
 * Installs WordPress on SQLite in the folder $argv[1], for the site SHOP_URL, with the lines for `wp-config.php` in the
 * file $argv[2]. WooCommerce and the plug-in of the recipe lie there already.
 */

declare(strict_types=1);

[, $folder, $lines] = $argv;
$url = getenv('SHOP_URL');
$plugins = "$folder/wp-content/plugins";

$dropIn = file_get_contents("$plugins/sqlite-database-integration/db.copy");
file_put_contents("$folder/wp-content/db.php", strtr($dropIn, [
    '{SQLITE_IMPLEMENTATION_FOLDER_PATH}' => "$plugins/sqlite-database-integration",
    '{SQLITE_PLUGIN}' => 'sqlite-database-integration/load.php',
]));
$settings = ['WP_HOME' => $url, 'WP_SITEURL' => $url, 'DISABLE_WP_CRON' => true, 'WP_HTTP_BLOCK_EXTERNAL' => true];
foreach (['NAME', 'USER', 'PASSWORD', 'HOST'] as $name) {
    $settings["DB_$name"] = 'sqlite';
}
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    $settings["{$name}_KEY"] = bin2hex(random_bytes(32));
    $settings["{$name}_SALT"] = bin2hex(random_bytes(32));
}
$config = "<?php\n";
foreach ($settings as $name => $value) {
    $config .= "define('$name', " . var_export($value, true) . ");\n";
}
$config .= file_get_contents($lines) . "\$table_prefix = 'wp_';\nrequire_once __DIR__ . '/wp-settings.php';\n";
file_put_contents("$folder/wp-config.php", $config);

define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url($url, PHP_URL_HOST) . ':' . parse_url($url, PHP_URL_PORT);
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Ceylon Tea House', 'owner', 'owner@shop.example', true, '', bin2hex(random_bytes(16)));
update_option('active_plugins', ['woocommerce/woocommerce.php', 'kasi-gateway/kasi-gateway.php']);
