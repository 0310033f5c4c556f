package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"shop/kasi"
)

// TestCheck takes a payment for each amount of KASI_AMOUNTS, such as "25 USD,131072.01 USD", or reads KASI_PAYMENT.
func TestCheck(t *testing.T) {
	client, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	if id := os.Getenv("KASI_PAYMENT"); id != "" {
		tell(read(t, client, id))
		return
	}
	for _, each := range strings.Split(os.Getenv("KASI_AMOUNTS"), ",") {
		amount, currency, _ := strings.Cut(each, " ")
		tell(take(t, client, amount, currency))
	}
}

func tell(payment *kasi.PaymentDetail) {
	amount := strconv.FormatFloat(payment.Amount, 'f', -1, 64)
	fmt.Println("payment", amount, payment.Currency, payment.Status)
}

func take(t *testing.T, client *kasi.ClientWithResponses, amount string, currency string) *kasi.PaymentDetail {
	number, err := strconv.ParseFloat(amount, 64)
	if err != nil {
		t.Fatal(err)
	}
	created, err := client.CreateSdkCheckoutSessionWithResponse(
		context.Background(),
		&kasi.CreateSdkCheckoutSessionParams{},
		kasi.CreateCheckoutSessionRequest{
			Amount:     number,
			Currency:   currency,
			SuccessUrl: "https://shop.example/thanks",
			CancelUrl:  "https://shop.example/cart",
		},
	)
	if err != nil || created.JSON200 == nil {
		t.Fatalf("no session: %v %s", err, created.Body)
	}
	session, err := client.GetCheckoutSessionWithResponse(context.Background(), created.JSON200.SessionId)
	if err != nil || session.JSON200 == nil {
		t.Fatalf("the session can't be read: %v %s", err, session.Body)
	}
	pay(t, session.JSON200.PaymentId)
	for range 100 {
		payment := read(t, client, session.JSON200.PaymentId)
		if payment.Status == "paid" {
			return payment
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("it was not paid in time")
	return nil
}

func pay(t *testing.T, id string) {
	client, err := kasi.NewClientWithResponses(
		os.Getenv("KASI_URL"),
		kasi.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("KASI_TOKEN"))
			return nil
		}),
	)
	if err != nil {
		t.Fatal(err)
	}
	paid, err := client.PaySandboxPaymentWithResponse(
		context.Background(), id, &kasi.PaySandboxPaymentParams{}, kasi.PaySandboxPaymentRequest{},
	)
	if err != nil || paid.JSON200 == nil {
		t.Fatalf("it can't be paid: %v %s", err, paid.Body)
	}
}

func read(t *testing.T, client *kasi.ClientWithResponses, id string) *kasi.PaymentDetail {
	payment, err := client.GetPaymentWithResponse(context.Background(), id)
	if err != nil || payment.JSON200 == nil {
		t.Fatalf("it can't be read: %v %s", err, payment.Body)
	}
	return payment.JSON200
}
