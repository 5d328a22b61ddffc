"""An order from its code to the delivery, with the generated client; prints what is owed."""

import os
from typing import TypeVar

from fiado_client import AuthenticatedClient
from fiado_client.api.payments import get_payment
from fiado_client.api.sandbox import create_sandbox_customer
from fiado_client.api.transactions import (
    confirm_transaction,
    create_transaction,
    deliver_transaction,
)
from fiado_client.models import (
    ConfirmTransactionBody,
    CreatedTransaction,
    CreateTransactionBody,
    DeliverTransactionBody,
    DeliverTransactionBodyStatus,
    ImportedCustomer,
    Payment,
    ProductLineBody,
    SandboxCustomerBody,
    SandboxCustomerBodyStatusType0,
    Success,
)

Answer = TypeVar("Answer")


def expect(kind: type[Answer], answer: object) -> Answer:
    assert isinstance(answer, kind), answer
    return answer


client = AuthenticatedClient(base_url=os.environ["BASE"], token=os.environ["KEY"])
customer = expect(
    ImportedCustomer,
    create_sandbox_customer.sync(
        client=client,
        body=SandboxCustomerBody(
            status=SandboxCustomerBodyStatusType0.APPROVED, credit_limit=2000000
        ),
    ),
)
order = expect(
    CreatedTransaction,
    create_transaction.sync(
        client=client,
        body=CreateTransactionBody(
            corner_store_id=str(customer.corner_store_id),
            total_amount=1234567.89,
            products=[ProductLineBody(external_sku="REF-600", name="Refresco 600 ml", quantity=24)],
        ),
    ),
)
confirm_transaction.sync(
    order.transaction_id,
    order.verification_id,
    client=client,
    body=ConfirmTransactionBody(error_code="123456"),
)
expect(
    Success,
    deliver_transaction.sync(
        order.transaction_id,
        client=client,
        body=DeliverTransactionBody(
            status=DeliverTransactionBodyStatus.DELIVERY, transaction_amount=1234567.89
        ),
    ),
)
print(expect(Payment, get_payment.sync(order.transaction_id, client=client)).amount_due)
