import java.math.BigDecimal;
import kasi.api.PaymentsApi;

/** Reads KASI_PAYMENT. */
public class Check {
    public static void main(String[] args) throws Exception {
        var payment = new PaymentsApi(Shop.connect()).getPayment(System.getenv("KASI_PAYMENT"));
        var amount = BigDecimal.valueOf(payment.getAmount()).stripTrailingZeros().toPlainString();
        System.out.println("payment " + amount + " " + payment.getCurrency() + " " + payment.getStatus());
    }
}
