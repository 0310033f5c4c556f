<?php

/** Presses the button "Refund" of the order $argv[2] in the shop in the folder $argv[1]; prints the notes of the order. */

declare(strict_types=1);

require "$argv[1]/wp-load.php";

$order = wc_get_order((int) $argv[2]);
$refund = wc_create_refund([
    'order_id' => $order->get_id(),
    'amount' => $order->get_total(),
    'reason' => 'Sold out.',
    'refund_payment' => true,
]);
if (is_wp_error($refund)) {
    fwrite(STDERR, $refund->get_error_message() . "\n");
    exit(1);
}
foreach (wc_get_order_notes(['order_id' => $order->get_id(), 'type' => 'customer']) as $note) {
    echo "{$note->content}\n";
}
