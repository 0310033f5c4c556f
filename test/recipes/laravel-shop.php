<?php

/**
 * The model and the webhook of the Laravel recipe, with the little of Laravel that they call, in memory, because no
 * registry has to bring Laravel. Reads steps from the standard input as JSON, one a line, and answers each with a line.
 */

declare(strict_types=1);

namespace Illuminate\Support {
    /** Rows of one table, and what is asked of them: all that the recipe knows of a database. */
    final class Rows
    {
        /** @var list<array{string, mixed}> */
        private array $wanted = [];

        /** @param \ArrayObject<string, object> $rows */
        public function __construct(private \ArrayObject $rows)
        {
        }

        public function where(string $column, mixed $value): self
        {
            $narrower = clone $this;
            $narrower->wanted[] = [$column, $value];
            return $narrower;
        }

        public function lockForUpdate(): self
        {
            return $this;
        }

        public function first(): ?object
        {
            return $this->all()[0] ?? null;
        }

        public function sum(string $column): int
        {
            return array_sum(array_column($this->all(), $column));
        }

        /** @param array<string, mixed> $row */
        public function insertOrIgnore(array $row): int
        {
            $isNew = !isset($this->rows[$row['id']]);
            $this->rows[$row['id']] ??= (object) $row;
            return $isNew ? 1 : 0;
        }

        /**
         * @param array<string, mixed> $known
         * @param array<string, mixed> $changes
         */
        public function updateOrInsert(array $known, array $changes): void
        {
            $this->rows[$known['id']] = (object) [...(array) ($this->rows[$known['id']] ?? []), ...$known, ...$changes];
        }

        /** @return list<object> */
        private function all(): array
        {
            $fits = fn (object $row): bool => array_filter($this->wanted, fn (array $one): bool => $row->{$one[0]} !== $one[1]) === [];
            return array_values(array_filter($this->rows->getArrayCopy(), $fits));
        }
    }
}

namespace Illuminate\Support\Facades {
    use Illuminate\Support\Rows;

    final class DB
    {
        /** @var array<string, \ArrayObject<string, object>> */
        private static array $tables = [];

        public static function table(string $name): Rows
        {
            return new Rows(self::$tables[$name] ??= new \ArrayObject());
        }
    }

    final class Log
    {
        /** @var list<string> */
        public static array $warned = [];

        public static function warning(string $said): void
        {
            self::$warned[] = $said;
        }
    }
}

namespace Illuminate\Database\Eloquent {
    use Illuminate\Support\Facades\DB;
    use Illuminate\Support\Rows;

    #[\AllowDynamicProperties]
    class Model
    {
        public static function where(string $column, mixed $value): Rows
        {
            return DB::table('orders')->where($column, $value);
        }

        public static function firstWhere(string $column, mixed $value): ?object
        {
            return self::where($column, $value)->first();
        }

        public function save(): void
        {
        }
    }
}

namespace Illuminate\Database\Eloquent\Concerns {
    trait HasUuids
    {
    }
}

namespace {
    use App\Http\Controllers\KasiWebhook;
    use App\Models\Order;
    use Illuminate\Support\Facades\Log;
    use Kasi\Kasi;

    require getenv('KASI_AUTOLOAD');
    require __DIR__ . '/app/Models/Order.php';
    require __DIR__ . '/app/Http/Controllers/KasiWebhook.php';

    function env(string $name): ?string
    {
        return getenv($name) ?: null;
    }

    function config(string $path): mixed
    {
        [, $key] = explode('.', $path);
        return (require __DIR__ . '/config/kasi.php')[$key];
    }

    function app(string $class): object
    {
        return new $class(config('kasi.url'), apiKey: config('kasi.key'), apiSecret: config('kasi.secret'));
    }

    /** As Laravel makes addresses: with the host that the request names. */
    function route(string $name, Order $order): string
    {
        return "http://{$GLOBALS['host']}/orders/$order->id";
    }

    $orders = Illuminate\Support\Facades\DB::table('orders');
    $webhook = new KasiWebhook();
    $handle = new ReflectionMethod($webhook, 'handle');
    while (($line = fgets(STDIN)) !== false) {
        $step = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
        if ($orders->where('id', $step['order'])->first() === null) {
            $order = new Order();
            foreach (['id' => $step['order'], 'cents' => 2500, 'status' => 'open', 'payment' => null, 'asked' => null, 'received' => 0, 'heard' => 0] as $name => $value) {
                $order->$name = $value;
            }
            $rows = new ReflectionProperty($orders, 'rows');
            $rows->getValue($orders)[$order->id] = $order;
        }
        $order = $orders->where('id', $step['order'])->first();
        $said = null;
        if (isset($step['event'])) {
            $handle->invoke($webhook, $step['event']);
        } else {
            $host = $step['host'];
            $said = $order->checkoutUrl();
        }
        echo json_encode(['said' => $said, 'status' => $order->status, 'warned' => Log::$warned], JSON_THROW_ON_ERROR), "\n";
    }
}
