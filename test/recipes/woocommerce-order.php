<?php

/**
 * The plug-in of the WooCommerce recipe around one order, with the few functions of WordPress that it calls, because no
 * registry brings WordPress. Reads steps from the standard input as JSON, one a line, and answers each with a line.
 */

declare(strict_types=1);

const ABSPATH = __DIR__ . '/wp/';
const HOUR_IN_SECONDS = 3600;

abstract class WC_Payment_Gateway
{
}

final class WP_Error
{
    public function __construct(public string $code, public string $message)
    {
    }
}

final class WP_Upgrader
{
    public static function create_lock(string $name, int $seconds): bool
    {
        return true;
    }

    public static function release_lock(string $name): void
    {
    }
}

/** As WooCommerce's own: what it keeps is what was saved, and a payment completes an order that waits for one. */
final class WC_Order
{
    public string $status = 'pending';
    public string $transaction = '';
    /** @var array<string, mixed> */
    public array $meta = [];
    /** @var list<string> */
    public array $notes = [];
    /** Where the site is, as the request names it. */
    public string $site = 'https://shop.example';
    /** Whether the database takes no change. */
    public bool $isBroken = false;

    public function get_id(): int
    {
        return 7;
    }

    public function get_order_key(): string
    {
        return 'wc_order_key';
    }

    public function get_currency(): string
    {
        return 'USD';
    }

    public function get_order_number(): string
    {
        return '7';
    }

    public function get_checkout_order_received_url(): string
    {
        return "$this->site/received/7";
    }

    public function get_total(): string
    {
        return '25.00';
    }

    public function get_transaction_id(): string
    {
        return $this->transaction;
    }

    public function get_meta(string $name): mixed
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, mixed $value): void
    {
        $this->meta[$name] = $value;
    }

    public function delete_meta_data(string $name): void
    {
        unset($this->meta[$name]);
    }

    public function read_meta_data(bool $force): void
    {
    }

    public function save(): void
    {
    }

    public function add_order_note(string $note, int $forCustomer = 0): void
    {
        $this->notes[] = $note;
    }

    /** @param string|list<string> $status */
    public function has_status(string|array $status): bool
    {
        return in_array($this->status, (array) $status, true);
    }

    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    public function update_status(string $status, string $note = ''): void
    {
        $this->status = $status;
    }

    public function get_checkout_payment_url(): string
    {
        return 'https://shop.example/pay/7';
    }

    public function payment_complete(string $transaction): bool
    {
        if ($this->isBroken) {
            return false; // WooCommerce logs why, and throws nothing.
        }
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->status = 'processing';
            $this->transaction = $transaction;
        }
        return true;
    }
}

$order = new WC_Order();
$warned = [];

$actions = [];

function add_action(string $name, callable $does): void
{
    $GLOBALS['actions'][$name] = $does;
}

/** What outlives a request: here in a file. */
function get_transient(string $name): mixed
{
    return unserialize(@file_get_contents(md5($name)) ?: serialize(false));
}

function set_transient(string $name, mixed $value, int $seconds): bool
{
    return file_put_contents(md5($name), serialize($value)) !== false;
}

function status_header(int $status): void
{
    echo json_encode(['said' => $status]), "\n";
}

function add_filter(mixed ...$all): void
{
}

function wc_get_order(mixed $id): WC_Order|false
{
    global $order;
    return (int) $id === $order->get_id() ? $order : false;
}

function wc_format_decimal(mixed $amount, int $places): string
{
    return number_format((float) $amount, $places, '.', '');
}

function esc_url(string $url): string
{
    return $url;
}

function wp_generate_uuid4(): string
{
    return bin2hex(random_bytes(16));
}

function wc_get_logger(): object
{
    return new class {
        /** @param array<string, string> $context */
        public function warning(string $said, array $context): void
        {
            global $warned;
            $warned[] = $said;
        }
    };
}

define('KASI_URL', getenv('KASI_URL'));
define('KASI_MERCHANT_ID', 'mer_1');
define('KASI_API_KEY', 'pk_test');
define('KASI_API_SECRET', 'sk_test');
require __DIR__ . '/kasi-gateway.php';
$actions['plugins_loaded']();

while (($line = fgets(STDIN)) !== false) {
    $step = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $order->isBroken = $step['isBroken'] ?? false;
    if (isset($step['site'])) {
        $order->site = $step['site'];
        $said = (new Kasi_Gateway())->process_payment($order->get_id())['redirect'];
    } elseif (isset($step['hours'])) {
        $order->meta['_kasi_refund']['at'] -= $step['hours'] * HOUR_IN_SECONDS;
        $said = null;
    } elseif (isset($step['request'])) {
        $_SERVER = $step['request'];
        $actions['woocommerce_api_kasi'](); // It ends the process, as it ends a request.
    } elseif (isset($step['event'])) {
        $said = kasi_handle($step['event']);
    } else {
        $order->transaction = $step['transaction'];
        $asked = ['amount' => (float) $step['refund'], 'reason' => 'Sold out.'];
        $answer = kasi_locked(7, fn (WC_Order $order) => kasi_refund($order, $asked));
        $said = $answer instanceof WP_Error ? $answer->message : $answer;
    }
    ob_start();
    $actions['woocommerce_thankyou_kasi']($order->get_id());
    $page = strip_tags((string) ob_get_clean());
    $state = ['said' => $said, 'status' => $order->status, 'notes' => $order->notes, 'warned' => $warned, 'page' => $page];
    echo json_encode($state, JSON_THROW_ON_ERROR), "\n";
}
