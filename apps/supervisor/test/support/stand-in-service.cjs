// A stand-in for a service, the console or the migration: it answers its health and, as the gateway, the calls of the demo.
// Files in the folder `control` change how it behaves; what it saw goes to files beside it.
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const path = require('node:path');

module.exports = function standIn(name, folder) {
  const told = (what) => existsSync(path.join(folder, 'control', `${name}.${what}`));
  const note = (event) => appendFileSync(path.join(folder, 'events'), `${name} ${event}\n`);
  writeFileSync(path.join(folder, `${name}.env`), JSON.stringify(process.env));

  if (name === 'migrate') {
    note('migrated');
    if (told('fail')) process.exit(3);
    return;
  }
  const serve = () => serveAs(name, told, note);
  // It is released once its schema is migrated.
  if (process.argv.includes('--held')) process.once('message', serve);
  else serve();
};

function serveAs(name, told, note) {
  note(`started ${process.pid}`);
  const print = (line) => process.stdout.write(`${line}\n`);
  const log = (level, msg) => print(JSON.stringify({ level, service: name, msg }));
  log(30, 'listening');
  if (told('warn')) {
    log(40, 'slow database');
    print('SMS to ********0101: 123456 es tu clave');
  }
  if (told('refuse')) process.exit(78);

  const port = Number(process.env[name === 'gateway' ? 'PORT' : `${name.toUpperCase()}_PORT`]);
  const server = createServer((request, response) => {
    const answer = told('unready') ? [503, {}] : answerTo(`${request.method} ${request.url}`);
    response.writeHead(answer[0], { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer[1]));
  });
  server.listen(port, process.env.HOST, () => process.send('serving'));

  const leave = (why) => {
    note(`left on ${why}`);
    process.exit(0);
  };
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {
    if (!told('stubborn')) leave('SIGTERM');
  });
  // Orphans take a moment to finish their work, so the next start meets their ports.
  process.on('disconnect', () => setTimeout(() => leave('disconnect'), 300));
}

function answerTo(call) {
  if (call.endsWith('/customers')) {
    const customers = ['tienda-001', 'tienda-002', 'tienda-003'].map((externalId) => ({
      externalId,
      userId: `user-${externalId}`,
      cornerStoreId: `store-${externalId}`,
      status: 'pre-approved',
    }));
    return [201, { customers }];
  }
  if (call === 'POST /v1/admin/wholesalers') {
    return [201, { wholesalerId: 'w1', apiKey: 'fiado_test_demo' }];
  }
  if (call === 'POST /v1/admin/staff') {
    return [201, { invitationLink: 'http://localhost/invitacion/fiado_invite_demo' }];
  }
  if (call === 'POST /v1/admin/payment-providers') {
    return [201, { paymentProviderId: 'p1', name: 'Pagos Demo', apiKey: 'fiado_test_provider' }];
  }
  return [200, { call }];
}
