<?php

/** Presses the button "Refund" of the order $argv[2] in the shop in the folder $argv[1]; prints the notes of the order. */

declare(strict_types=1);

require "$argv[1]/wp-load.php";

$id = (int) $argv[2];

/** What the button of the page does. */
function press(int $id, float $amount): WC_Order_Refund
{
    $refund = wc_create_refund([
        'order_id' => $id,
        'amount' => $amount,
        'reason' => 'Sold out.',
        'refund_payment' => true,
    ]);
    if (is_wp_error($refund)) {
        fwrite(STDERR, $refund->get_error_message() . "\n");
        exit(1);
    }
    return $refund;
}

// What the plug-in keeps while it waits for the answer.
$kept = null;
add_action('woocommerce_before_order_object_save', static function (WC_Order $order) use (&$kept): void {
    $kept = $order->get_meta('_kasi_refund') ?: $kept;
});

// The merchant has given 10 back. The rest goes in two refunds of the same amount, and the answer to the first is lost:
// the button is pressed again, and must bring the same.
$half = (wc_get_order($id)->get_total() - 10) / 2;
$first = press($id, $half);
$order = wc_get_order($id);
$order->update_meta_data('_kasi_refund', $kept);
$order->save();
$first->delete();
press($id, $half);
press($id, $half);

$links = array_map(
    static fn (object $note): string => $note->content,
    wc_get_order_notes(['order_id' => $id, 'type' => 'customer']),
);
$different = array_unique($links);
if ([count($links), count($different)] !== [3, 2]) {
    fwrite(STDERR, 'Of three presses the last two were to bring two refunds: ' . implode(', ', $links) . "\n");
    exit(1);
}
echo implode("\n", $different), "\n";
