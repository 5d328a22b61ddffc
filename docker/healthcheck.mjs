// Healthy is a process that is ready to be sent requests. The port is the one that it was given.
const port =
  process.env.PORT ??
  process.env.ACCOUNTS_PORT ??
  process.env.TRANSACTIONS_PORT ??
  process.env.PAYMENTS_PORT ??
  process.env.NOTIFIER_PORT;
const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
