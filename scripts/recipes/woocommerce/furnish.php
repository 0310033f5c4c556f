<?php

/** Furnishes the shop in the folder $argv[1]: tables, prices in USD, the payment method of the recipe, one product. */

declare(strict_types=1);

require "$argv[1]/wp-load.php";

WC_Install::install();
WC_Install::create_pages();
foreach (
    [
        'woocommerce_currency' => 'USD',
        'woocommerce_calc_taxes' => 'no',
        'woocommerce_coming_soon' => 'no',
        'woocommerce_enable_guest_checkout' => 'yes',
        'woocommerce_kasi_settings' => ['enabled' => 'yes'],
    ] as $name => $value
) {
    update_option($name, $value);
}
$GLOBALS['wp_rewrite']->set_permalink_structure('/%postname%/');
WC()->query->add_endpoints();
flush_rewrite_rules();
$product = new WC_Product_Simple();
$product->set_name('Ceylon tea, 250 g');
$product->set_regular_price('25');
$product->set_virtual(true);
echo "product {$product->save()}\n";
