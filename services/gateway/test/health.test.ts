import { startTestGateway } from './support/test-gateway';

describe('health', () => {
  it('is ready 30 s after its start without one service, and not without any', async () => {
    const young = await startTestGateway();
    const { accounts, transactions, payments, notifier } = young.upstreams;
    const all = [accounts, transactions, payments, notifier];
    for (const upstream of all) await upstream.stop();
    const other = await startTestGateway({
      config: {
        ACCOUNTS_URL: accounts.url,
        TRANSACTIONS_URL: transactions.url,
        PAYMENTS_URL: payments.url,
        NOTIFIER_URL: notifier.url,
      },
    });
    try {
      const ready = async () => (await other.call('GET', '/health/ready')).status;
      other.advance(31_000);
      expect(await ready()).toBe(503);
      await accounts.start();
      expect(await ready()).toBe(200);
    } finally {
      await other.stop();
      await young.stop();
    }
  });

  it('waits 30 s for a service that is down', async () => {
    const young = await startTestGateway();
    await young.upstreams.notifier.stop();
    const other = await startTestGateway({
      config: { NOTIFIER_URL: young.upstreams.notifier.url },
    });
    try {
      const ready = async () => (await other.call('GET', '/health/ready')).status;
      other.advance(29_000);
      expect(await ready()).toBe(503);
      other.advance(2_000);
      expect(await ready()).toBe(200);
    } finally {
      await other.stop();
      await young.stop();
    }
  });

  it('is live at once, ready once every service has been, and stays so', async () => {
    const young = await startTestGateway();
    try {
      await young.upstreams.notifier.stop();
      const other = await startTestGateway({
        config: { NOTIFIER_URL: young.upstreams.notifier.url },
      });
      const ready = async () => (await other.call('GET', '/health/ready')).status;

      expect((await other.call('GET', '/health/live')).status).toBe(200);
      expect(await ready()).toBe(503);
      await young.upstreams.notifier.start();
      expect(await ready()).toBe(200);
      await young.upstreams.notifier.stop();
      expect(await ready()).toBe(200);
      await other.stop();
    } finally {
      await young.stop();
    }
  });
});
