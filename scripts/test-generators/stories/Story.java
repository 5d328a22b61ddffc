import java.math.BigDecimal;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** An order from its code to the delivery, with the generated client; prints what is owed. */
public class Story {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("BASE"));
    client.setRequestInterceptor(request -> request.header("Authorization", System.getenv("KEY")));
    TransactionsApi transactions = new TransactionsApi(client);

    ImportedCustomer customer = new SandboxApi(client).createSandboxCustomer(null, null,
        new SandboxCustomerBody()
            .status(SandboxCustomerBodyStatus.APPROVED)
            .creditLimit(new BigDecimal("2000000")));
    CreatedTransaction order = transactions.createTransaction(
        new CreateTransactionBody()
            .cornerStoreId(customer.getCornerStoreId().toString())
            .totalAmount(new BigDecimal("1234567.89"))
            .products(List.of(new ProductLineBody()
                .externalSKU("REF-600").name("Refresco 600 ml").quantity(new BigDecimal(24)))), null, null);
    transactions.confirmTransaction(order.getTransactionId(), order.getVerificationId(),
        new ConfirmTransactionBody().errorCode("123456"), null, null);
    transactions.deliverTransaction(order.getTransactionId(),
        new DeliverTransactionBody()
            .status(DeliverTransactionBodyStatus.DELIVERY)
            .transactionAmount(new BigDecimal("1234567.89")), null, null);
    System.out.println(new PaymentsApi(client).getPayment(order.getTransactionId(), null).getAmountDue());
  }
}
