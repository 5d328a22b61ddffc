// An order from its code to the delivery, with the generated client; prints what is owed.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"story/fiado"
)

func must[T any](answer T, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	authorize := fiado.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", os.Getenv("KEY"))
		return nil
	})
	client := must(fiado.NewClientWithResponses(os.Getenv("BASE"), authorize))
	ctx := context.Background()

	status := fiado.SandboxCustomerBodyStatusApproved
	limit := json.Number("2000000")
	customer := must(client.CreateSandboxCustomerWithResponse(ctx, nil,
		fiado.SandboxCustomerBody{Status: &status, CreditLimit: &limit})).JSON201
	order := must(client.CreateTransactionWithResponse(ctx, nil, fiado.CreateTransactionBody{
		CornerStoreId: customer.CornerStoreId.String(),
		TotalAmount:   "1234567.89",
		Products: []fiado.ProductLineBody{
			{ExternalSKU: "REF-600", Name: "Refresco 600 ml", Quantity: "24"}},
	})).JSON201
	must(client.ConfirmTransactionWithResponse(ctx, order.TransactionId, order.VerificationId, nil,
		fiado.ConfirmTransactionBody{ErrorCode: "123456"}))
	must(client.DeliverTransactionWithResponse(ctx, order.TransactionId, nil,
		fiado.DeliverTransactionBody{Status: "delivery", TransactionAmount: "1234567.89"}))
	fmt.Println(must(client.GetPaymentWithResponse(ctx, order.TransactionId, nil)).JSON200.AmountDue)
}
