import { describe, expect, test } from 'vitest';
import { readRequest, readResponse, requestText, resultText } from '../../../../src/bach/model/index.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const ID = 'id must be a string of at most 1000 characters, a whole number or null';

describe('requests', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":[null]}}', { id: 1, method: 'a', params: { b: [null] } }],
    ['{"jsonrpc":"2.0","id":"x","method":"a"}', { id: 'x', method: 'a', params: undefined }],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', { id: null, method: 'a', params: undefined }],
    ['{"jsonrpc":"2.0","method":"a"}', { id: undefined, method: 'a', params: undefined }],
    [`{"jsonrpc":"2.0","id":1,"method":"${'['.repeat(500)}\\"","params":${deep(98)}}`, expect.objectContaining({ id: 1, method: `${'['.repeat(500)}"` })],
  ])('%s', (text, expected) => {
    expect(readRequest(bytes(text))).toEqual(expected);
  });

  test.each([
    ['', null, 'the payload is not valid JSON'],
    ['{', null, 'the payload is not valid JSON'],
    ['\ufeff{}', null, 'the payload is not valid JSON'],
    ['{"a":"', null, 'the payload is not valid JSON'],
    ['"\\', null, 'the payload is not valid JSON'],
    ['\0', null, 'the payload is not valid JSON'],
    ['{"jsonrpc":"2.0"}{}', null, 'the payload is not valid JSON'],
    [deep(101), null, 'the payload is nested more than 100 deep'],
    ['['.repeat(4_000_000), null, 'the payload is nested more than 100 deep'],
    [`{"a":${deep(100)}}`, null, 'the payload is nested more than 100 deep'],
    ['[]', null, 'a request must be one JSON object'],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', null, 'a request must be one JSON object'],
    ['null', null, 'a request must be one JSON object'],
    ['1', null, 'a request must be one JSON object'],
    ['{"jsonrpc":"2.0","id":1.5,"method":"a"}', null, ID],
    ['{"jsonrpc":"2.0","id":1e300,"method":"a"}', null, ID],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', null, ID],
    ['{"jsonrpc":"2.0","id":true,"method":"a"}', null, ID],
    [`{"jsonrpc":"2.0","id":"${'x'.repeat(1001)}","method":"a"}`, null, ID],
    ['{"id":7,"method":"a"}', 7, 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":2,"id":7,"method":"a"}', 7, 'jsonrpc must be "2.0"'],
    ['{"jsonrpc":"2.0","id":"q"}', 'q', 'method must be a string that is not empty'],
    ['{"jsonrpc":"2.0","id":7,"method":""}', 7, 'method must be a string that is not empty'],
    ['{"jsonrpc":"2.0","id":7,"method":["a"]}', 7, 'method must be a string that is not empty'],
  ])('case %#', (text, id, message) => {
    expect(readRequest(bytes(text))).toEqual({ id, fault: expect.objectContaining({ code: 'invalid_request', message }) });
  });

  test('bytes that are no UTF-8', () => {
    expect(readRequest(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ id: null, fault: { code: 'invalid_request', message: 'the payload is not valid UTF-8' } });
  });
});

describe('answers', () => {
  test('what one end writes the other reads', () => {
    expect(readResponse(bytes(resultText(3, { ok: true })))).toEqual({ id: 3, result: { ok: true } });
    expect(readRequest(bytes(requestText(3, 'a', { half: '\ud800' })))).toEqual({ id: 3, method: 'a', params: { half: '\ud800' } });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":{"code":"conflict"}}}', { id: 1, error: { code: 'conflict', message: 'no' } }],
    ['{"jsonrpc":"2.0","id":1,"error":{}}', { id: 1, error: { code: 'internal', message: 'no reason given' } }],
    ['{"jsonrpc":"2.0","id":1,"error":{"message":7,"data":7}}', { id: 1, error: { code: 'internal', message: 'no reason given' } }],
    ['{"jsonrpc":"2.0","id":null,"error":{"message":"lost"}}', { fault: 'lost' }],
    ['{"jsonrpc":"2.0","id":1}', { fault: 'an answer must have a result or an error' }],
    ['{"jsonrpc":"2.0","id":"1","result":1}', { fault: 'an answer must have the id of a request' }],
    ['{"id":1,"result":1}', { fault: 'an answer must be an object with jsonrpc "2.0"' }],
    ['[]', { fault: 'an answer must be an object with jsonrpc "2.0"' }],
    ['x', { fault: 'the payload is not valid JSON' }],
  ])('%s', (text, expected) => {
    expect(readResponse(bytes(text))).toEqual(expected);
  });
});
