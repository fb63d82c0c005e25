import type { RecordedExample } from './recorded-example.ts'

/** Made by a test of the conformance package, `npx vitest run test/examples.test.ts -u`. Do not edit. */
export const recordedExamples: Readonly<Record<string, readonly RecordedExample[]>> = {
  'GET /height': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '{"height":7}',
    },
  ],
  'GET /macroblock_by_height': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'height=3352423',
      answer:
        '{"kblock":{"hash":"25be29a1f2eaed1143c2a33dd1cff61e7a0c3484b4bf20de10a7d69e2acbc54b","n":3352423,"time":1634087944,"publisher":"03aed2c434166526413b287f16884342b62eaab20f9d26b105a6704849d7daf8b7","nonce":1234861237,"link":"3dbd1a1070d0c2f03057ca46d2aeb4792863c2494554b4ca1eadbf851a8d2ed6","sprout":"ENQGENESIS","m_root":"783b87a332d9b922c94728f54981b4bd2b7f846ed001295302735feb4842a088","leader_sign":{"type":"Buffer","data":[123,34,114,34,58,123,34,120]},"reward":1523000000,"target_diff":837935174},"mblocks":[{"hash":"5c6d38adc79ae5d1a4772d08a61ee539b44859d4bc8ebdcf2be7c15364afe8c7","tx_cnt":3}],"sblocks":[{"hash":"e1b821735a87a4e79b262222cd5ec399892228b6b42b0256cbc0b6140dc77346"}]}',
    },
  ],
  'GET /macroblock': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'hash=ef274e7b584ba98afd3de8f56e0fd36f30894922b25ddf8ddaa6ac7eef8a5062',
      answer:
        '{"kblock":{"hash":"ef274e7b584ba98afd3de8f56e0fd36f30894922b25ddf8ddaa6ac7eef8a5062","n":5538931,"time":1606314728,"publisher":"03a8232037828a99aa6ba6bdeb07270f2693e076332ae40684ae1bb8df1bd00437","nonce":2030568949,"link":"dfda4c2e62667141599219a09a6426afae287c59a3c2bfa57da76fa7cbb7ac3f","sprout":"ENQGENESIS","m_root":"2f3faceb2b024c7684c27a950396ea9914251a46b8595c013361b646cbc99fb1","leader_sign":{"type":"Buffer","data":[123,34,114,34,58,123,34,120]},"reward":1523000000,"target_diff":291500705},"mblocks":[{"hash":"067dd80fb56f1227452637dc8c5c1b5bcc2652c6ca848dfb602ca601c271884a","tx_cnt":4}],"sblocks":[{"hash":"8c56005e54e8603b2a7e54651f66c666034bcdef49728c9785777c2492f94f11"}],"snapshot_hash":"afa347f0270de67197f5221f3c233ba36bb923303c3d867065b453fcfd3ebb20"}',
    },
  ],
  'GET /mblock': [
    {
      source: 'Recorded from the public node software: http-2.json',
      query: 'hash=5d20b3ab9cc2484d92283eef32e21873966b000deffa5062c4a93cf6e72c1f7c',
      answer:
        '{"transactions":[{"hash":"1d311d620e724012ca3f7f8d1f64600a82b49821ceeb9bdef0563d3ee3540d2c","from":"02253ce314b60fc93c301b5fd5ebb9e005d1173a1956f8b47fe46999637d627397","to":"02d5bd8dc6346732d6f7bb4beb5ae147a7caf69580ca8bf7b62dac7f38e4652f25","amount":1000000,"mblocks_hash":"5d20b3ab9cc2484d92283eef32e21873966b000deffa5062c4a93cf6e72c1f7c","nonce":735065889,"status":2,"sign":"304502202c58b8e8f892f6efcfa7ccf2c25c84178a42013c23dced742a05a9298eba130702210085f087156b9b37e444c19b656cf991f9f38f04af66b46f6e0b3e64b63a75b8dc","ticker":"45ee657daf31a8ee12aa1eb2e4c1bf2f37efe7258d47a482d2cad58dfea2d148","data":""}],"header":{"kblocks_hash":"ENQGENESIS","publisher":"033b3e9194588eccd8e2cb40bfb2045477ceb592389de8e87b79fa88e89a6e3b55","referrer":"03b9162fb9459c9202b0d1928467d3ea5a6be0341050806ff22947d63eab730623","mblocks_hash":"5d20b3ab9cc2484d92283eef32e21873966b000deffa5062c4a93cf6e72c1f7c","reward":9249953221,"nonce":973656,"token":"0000000000000000000000000000000000000000000000000000000000000000"}}',
    },
  ],
  'GET /sblock': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'hash=9ad74ce7cb07d7044dbbcf6055a499e8fa907e474b7fea48d08b1c5a9ec7d796',
      answer:
        '{"header":{"kblocks_hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","publisher":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","sblocks_hash":"9ad74ce7cb07d7044dbbcf6055a499e8fa907e474b7fea48d08b1c5a9ec7d796","reward":16753000000}}',
    },
  ],
  'GET /lastblocks': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer:
        '{"blocks":[{"hash":"996700c093469c75e644eba82891da2d2fc47692870ed3de4b1f5926a5144506","n":1548496,"time":1673677843,"publisher":"0230aa064bf65e098456a4e6529380c3f8bfd76a46c4daabff9402aa80b438870c","nonce":1048500962,"link":"41fc06b682cfef6c3710b1a851f2e574390030c947c15553fe9e2b27a9acae87","sprout":"ENQGENESIS","m_root":"3ba5377a4e0fed03097fabc566f09cc6f429b09f4e359561861123038c413c2b","leader_sign":{"type":"Buffer","data":[123,34,114,34,58,123,34,120]},"reward":1523000000,"target_diff":605483167}]}',
    },
  ],
  'GET /lasttxs': [
    {
      source: 'Recorded from the public node software: http-2.json',
      query: '',
      answer:
        '{"txs":[{"hash":"154f94db386b69fb0f847f068367deb047b88a6f7e521d514e519f44c62fa655","from":"03696cd1f80f9ce10e428ff1d5ca0fc4e7b7e933d3dca1faa6ef13869db56f15c2","to":"02d5bd8dc6346732d6f7bb4beb5ae147a7caf69580ca8bf7b62dac7f38e4652f25","amount":35715,"mblocks_hash":"510607725e14aa771455ca9790963796f9c358bacd8d0575b9514a90509b6be5","nonce":376327665,"status":2,"sign":"3046022100b4bf30fafd5be1109540dd90526b0026271fe327a91652c94138adcad7b2e7cd02210095b99f20ef78d630fbcbea4d11474895c3f74ba489c1877c19dcb13483af3304","ticker":"ae0430eece56765b6471aec5fd436a5fb8e91d8cfea8212340d367e0dfe485d2","data":""}]}',
    },
  ],
  'GET /mblocks': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'offset=1&limit=5',
      answer:
        '[{"k_hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","m_hash":"0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54","publisher":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3","reward":8020637,"k_time":1700000015,"height":1}]',
    },
  ],
  'POST /tx': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      body: '[{"amount":"416666666667","data":"","from":"03fc8cf92fe7347570e8dce5fe647494594c1a77a85c1bfeafcd938c435c0d8517","nonce":727754009,"sign":"3045022100857c4e8b68450d8cbbaac77af3c5904632e9ff5ce650321747f025c580529af002204454c4c5e19e3587f89715c5cad01a25deaa7ff238e039ece5fa0d3ad402e60f","ticker":"0000000000000000000000000000000000000000000000000000000000000000","to":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3"}]',
      answer:
        '{"err":0,"result":[{"hash":"a4f76d804ed274320be01cdf866a8b17664b153a4af4c0698c7ad9236024f6fd","status":0}]}',
    },
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      body: '[{"data":"","from":"03fc8cf92fe7347570e8dce5fe647494594c1a77a85c1bfeafcd938c435c0d8517","nonce":727754009,"sign":"3045022100857c4e8b68450d8cbbaac77af3c5904632e9ff5ce650321747f025c580529af002204454c4c5e19e3587f89715c5cad01a25deaa7ff238e039ece5fa0d3ad402e60f","ticker":"0000000000000000000000000000000000000000000000000000000000000000","to":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3"}]',
      answer: '{"err":1,"message":"Missed fields"}',
    },
  ],
  'GET /tx': [
    {
      source: 'Recorded from the public node software: http-2.json',
      query: 'hash=5ceff9bf11c7592bf6561af1becce946dbfde6d07e5e623a2caa042d8360946f',
      answer:
        '{"status":2,"from":"03cc9edd8687ffd830d7c1e218d785ae005887a992df36292bdbbf5241acf82e64","to":"02d5bd8dc6346732d6f7bb4beb5ae147a7caf69580ca8bf7b62dac7f38e4652f25","total_amount":128,"fee_min":0,"token_hash":"7ecc7d156dbf7864592cc8f7a9e6bcbbe58416ff7e7e0def75fee0df35a66c03","fee_value":416582,"fee_type":0,"data":"","hash":"5ceff9bf11c7592bf6561af1becce946dbfde6d07e5e623a2caa042d8360946f","kblocks_hash":"ENQGENESIS","mblocks_hash":"0a744ec51367688947dab06b1a222356c2e039c5493cdc787c1d040c5fb4a9ae","fee":"416582","amount":"-416454"}',
    },
  ],
  'GET /pending_size': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '[{"count":0}]',
    },
  ],
  'GET /pending_tx_hash': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'hash=a4f76d804ed274320be01cdf866a8b17664b153a4af4c0698c7ad9236024f6fd',
      answer:
        '[{"hash":"a4f76d804ed274320be01cdf866a8b17664b153a4af4c0698c7ad9236024f6fd","timeadded":"2026-11-20 23:34:59","amount":416666666667,"from":"03fc8cf92fe7347570e8dce5fe647494594c1a77a85c1bfeafcd938c435c0d8517","to":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3","nonce":727754009,"ticker":"0000000000000000000000000000000000000000000000000000000000000000","data":"","sign":"3045022100857c4e8b68450d8cbbaac77af3c5904632e9ff5ce650321747f025c580529af002204454c4c5e19e3587f89715c5cad01a25deaa7ff238e039ece5fa0d3ad402e60f"}]',
    },
  ],
  'GET /pending_tx_account': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=03fc8cf92fe7347570e8dce5fe647494594c1a77a85c1bfeafcd938c435c0d8517',
      answer:
        '[{"hash":"a4f76d804ed274320be01cdf866a8b17664b153a4af4c0698c7ad9236024f6fd","timeadded":"2026-11-20 23:34:59","amount":416666666667,"from":"03fc8cf92fe7347570e8dce5fe647494594c1a77a85c1bfeafcd938c435c0d8517","to":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3","nonce":727754009,"ticker":"0000000000000000000000000000000000000000000000000000000000000000","data":"","sign":"3045022100857c4e8b68450d8cbbaac77af3c5904632e9ff5ce650321747f025c580529af002204454c4c5e19e3587f89715c5cad01a25deaa7ff238e039ece5fa0d3ad402e60f"}]',
    },
  ],
  'GET /balance': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query:
        'id=036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce&token=e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba',
      answer:
        '{"amount":16042275,"token":"e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba","ticker":"BBB","decimals":2,"delegated":0,"reward":0,"transit":0,"undelegated":0}',
    },
  ],
  'GET /balance_all': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'id=03eeb6fd727626f56642ffab481023b1fdbd7229b65000346484847a7b3af20365',
      answer:
        '[{"amount":698518077289,"token":"0000000000000000000000000000000000000000000000000000000000000000","ticker":"ENQ","decimals":10,"minable":1,"reissuable":0}]',
    },
  ],
  'GET /balance_all_unfiltered': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=031cc093a3f7ff41689474d30adb62b65b3e09f625e2109c8d097c28290ac97fc8',
      answer:
        '[{"amount":865937711,"token":"0000000000000000000000000000000000000000000000000000000000000000","ticker":"ENQ","decimals":10,"minable":1,"reissuable":0}]',
    },
  ],
  'GET /balance_mineable': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=031cc093a3f7ff41689474d30adb62b65b3e09f625e2109c8d097c28290ac97fc8',
      answer:
        '[{"amount":865937711,"token":"0000000000000000000000000000000000000000000000000000000000000000","ticker":"ENQ","decimals":10}]',
    },
  ],
  'GET /balance_reissuable': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'id=0388b1963e94ed075b3332ed1d59b5f89330184f4a7aa5696864e074118cd76e73',
      answer:
        '[{"amount":900000000000,"token":"71916bca35933bd1df1671294fcc56b16e18717cbf7ec9f3fc528903bb44baae","ticker":"CCC","decimals":8}]',
    },
  ],
  'GET /stat/agent_info': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'id=023c315e402fb1c5602cbb4a28353539e4817017a0f4871ecd45af4cfcaf05ec59',
      answer:
        '{"id":"023c315e402fb1c5602cbb4a28353539e4817017a0f4871ecd45af4cfcaf05ec59","ref_count":32,"ref_reward":232061811589,"k_reward":null,"s_reward":null,"lastcalc":1709855453}',
    },
  ],
  'GET /account_rewards': [
    {
      source: 'Recorded from the public node software: http-2.json',
      query: 'id=030199127b202182663051cc60855a388fdb0d91c58bf0b9a42afbad75c33e9193&page=0',
      answer:
        '{"balance":727684793,"records":[{"i":2,"irew":2,"hash":"aa930a40bf25d51dafe817f7019927da2692767802c0261500df3e8061fe95ee","time":1700000090,"rectype":"iref","amount":87422249,"ticker":"AAA"}],"page_count":1,"id":"030199127b202182663051cc60855a388fdb0d91c58bf0b9a42afbad75c33e9193"}',
    },
  ],
  'GET /account_transactions': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce&page=0',
      answer:
        '{"balance":250000000000,"records":[{"i":5,"hash":"bc44645328eadb8c5dd521ae3bf4ff079dac0d12b211204ef29f5392ccdabcb7","time":1700000060,"rectype":"iout","amount":21,"data":"","status":2,"token_hash":"e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba","fee_type":0,"fee_value":112196,"fee_min":0}],"page_count":1,"id":"036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce"}',
    },
  ],
  'GET /account_refreward': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'id=030ce5e7d7f2d933f33dfdaf6de4cc68f4f09e5fbaae8e97f6ccf50afc6eaf2d7a&page=0',
      answer:
        '{"balance":0,"records":[{"i":5,"hash":"111e4beb52e0fce55b81975dda1534549c3243a6fe6f44cf5bdaeff03cab90fa","time":1702890862,"refreward":875643100}],"page_count":0,"id":"030ce5e7d7f2d933f33dfdaf6de4cc68f4f09e5fbaae8e97f6ccf50afc6eaf2d7a"}',
    },
  ],
  'GET /account_mreward': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce&page=0',
      answer:
        '{"balance":250000000000,"records":[{"i":6,"hash":"821152dc603e8d577aaab2647d9bb59f1ddba2ddabc378a8d7053f45f87fde28","time":1700000090,"kreward":null,"sreward":null,"mreward":16041275,"output":null,"input":null}],"page_count":0,"id":"036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce"}',
    },
  ],
  'GET /account_kreward': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'id=025117591472713a75e533078f9832c1a2b1d37f7be6d8c9b2d3bf73f8dea0cd80&page=0',
      answer:
        '{"balance":10761000001,"records":[{"i":12,"hash":"e5c8b34ea06a89a098ba0bd8417851909aee4299bc351426d3e7f793651491e9","time":1700000105,"kreward":1523000000,"sreward":null,"mreward":null,"output":null,"input":null}],"page_count":1,"id":"025117591472713a75e533078f9832c1a2b1d37f7be6d8c9b2d3bf73f8dea0cd80"}',
    },
  ],
  'GET /account_sreward': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'id=c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f&page=0',
      answer:
        '{"balance":0,"records":[{"i":6,"hash":"50e1bd8b1a9e6f1a79a1f187465f91a35d6344ef0593cba1c025d863ea96e31f","time":1700000090,"kreward":null,"sreward":16753000000,"mreward":null,"output":null,"input":null}],"page_count":1,"id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f"}',
    },
  ],
  'GET /account_in': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce&page=0',
      answer:
        '{"balance":250000000000,"records":[{"i":4,"hash":"486b177f123b211d9276a6520be6a813081f0bab834ad2f6ee8bcb3d1e2648a9","time":1700000060,"kreward":null,"sreward":null,"mreward":null,"output":null,"input":"-111196","status":2,"token_hash":"e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba","fee_type":0,"fee_value":112196,"fee_min":0,"fee":"112196"}],"page_count":1,"id":"036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce"}',
    },
  ],
  'GET /account_out': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: 'id=036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce&page=0',
      answer:
        '{"balance":250000000000,"records":[{"i":5,"hash":"bc44645328eadb8c5dd521ae3bf4ff079dac0d12b211204ef29f5392ccdabcb7","time":1700000060,"kreward":null,"sreward":null,"mreward":null,"output":"-112175","input":null,"status":2,"token_hash":"e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba","fee_type":0,"fee_value":112196,"fee_min":0,"fee":"112196"}],"page_count":1,"id":"036aeb9354ffaed7b344c9110b3046d9d7e5b40f9eca608dea402157b6553b57ce"}',
    },
  ],
  'GET /account': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'id=03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9&page=0',
      answer:
        '{"balance":2551621202771,"records":[{"i":11,"rectype":"iin","hash":"071896ab1abf4d03f809883b9f0023bb5efd5a0f383db1d4f0a3583c23ef8ec5","time":1700000090,"kreward":null,"sreward":null,"mreward":null,"refreward":null,"output":null,"input":1000000,"status":2,"token_hash":"6effa53b93d2e096fa4e62762df12781720b4f122d8061a326569e4774d6de04","fee_type":null,"fee_value":null,"fee_min":null},{"i":10,"rectype":"iout","hash":"5c1d9d0cc0d835cc11c415571ab29238ce64cc9e97813df98a545105b146741a","time":1700000075,"kreward":null,"sreward":null,"mreward":null,"refreward":null,"output":1000000,"input":null,"status":2,"token_hash":"8d5938509ae3b93cca1e11a2f0383ecc2012486911d07f256808fd727d0d7045","fee_type":null,"fee_value":null,"fee_min":null},{"i":9,"rectype":"iout","hash":"298eef7f82337b6368c406f0c1a8d2ca2c8e949e4e41596a3f16892e4ec9fafa","time":1700000075,"kreward":null,"sreward":null,"mreward":null,"refreward":null,"output":"37232726672","input":null,"status":3,"token_hash":"0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae","fee_type":1,"fee_value":649,"fee_min":114,"fee":"2416403528"}],"page_count":2,"id":"03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9"}',
    },
  ],
  'GET /eindex_by_hash': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'hash=0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54',
      answer:
        '[{"id":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3","hash":"0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54","time":1700000015,"rectype":"im","value":8020637}]',
    },
  ],
  'GET /token_info': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'hash=0000000000000000000000000000000000000000000000000000000000000000',
      answer:
        '[{"hash":"0000000000000000000000000000000000000000000000000000000000000000","owner":"0264ecca1891d305e4b9b4a49c5813e3714e405076381bb6dbd44d0439f44909ec","fee_type":0,"fee_value":1000000000,"fee_min":0,"ticker":"ENQ","decimals":10,"total_supply":"2203539987023600410","caption":"Enecuum","active":0,"reissuable":0,"minable":1,"max_supply":"3500000000000000000","block_reward":30460000000,"min_stake":250000000000,"referrer_stake":10000000000000,"ref_share":2574,"txs_count":516055,"cg_price_usd":0.0123,"dex_price_usd":null,"price_raw":{"cg_price":123000000,"dex_price":null,"decimals":10}}]',
    },
  ],
  'GET /native_token': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer:
        '{"hash":"0000000000000000000000000000000000000000000000000000000000000000","owner":"03c53b346b71fb1f9aa12d7f9695cc4d7e4f9c7999cb83f24d480e9844d22eeab0","fee_type":0,"fee_value":1000000000,"fee_min":0,"ticker":"ENQ","decimals":10,"total_supply":"1169839753572118395","caption":"Enecuum","active":0,"reissuable":0,"minable":1,"max_supply":"3500000000000000000","block_reward":30460000000,"min_stake":250000000000,"referrer_stake":10000000000000,"ref_share":2574,"txs_count":414953,"cg_price_usd":0.0123,"dex_price_usd":null,"price_raw":{"cg_price":123000000,"dex_price":null,"decimals":10}}',
    },
  ],
  'GET /get_tickers_all': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer:
        '[{"hash":"0000000000000000000000000000000000000000000000000000000000000000","ticker":"ENQ","caption":"Native"}]',
    },
  ],
  'GET /get_tickers_all_unfiltered': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '[{"hash":"0000000000000000000000000000000000000000000000000000000000000000","ticker":"ENQ","caption":"Native"}]',
    },
  ],
  'GET /network_info': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer:
        '{"target_speed":15,"reward_ratio":{"pos":5500,"poa":3181,"pow":500,"ref":819},"transfer_lock":8192,"pos_min_stake":250010000000000,"native_token":{"hash":"0000000000000000000000000000000000000000000000000000000000000000","owner":"025be417f717d1830a293aa10b91a2a60e8a379d6c84f50a9600bd0526de541dd9","fee_type":0,"fee_value":1000000000,"fee_min":0,"ticker":"ENQ","decimals":10,"total_supply":"1939640872123357764","caption":"Enecuum","active":0,"reissuable":0,"minable":1,"max_supply":"3500000000000000000","block_reward":30460000000,"min_stake":250000000000,"referrer_stake":10000000000000,"ref_share":2574,"txs_count":633856,"cg_price_usd":0.0123,"dex_price_usd":null,"price_raw":{"cg_price":123000000,"dex_price":null,"decimals":10}},"origin":{"publisher":"02833f453fb8bf10cc5e8fd362d563851543559f3ea6e662ef114d8db8f72dda19","reward":1898805637500000000,"hash":"ENQGENESIS","link":"ENQGENESIS","sprout":"ENQGENESIS","time":0},"fee_shares":{"gen_share":300,"pow_share":50,"ldr_share":50,"pos_share":9600},"MPK":{"x":"1 5825281883794849344237221105608988424352585833411156440889932561996640646980823851063222220772231056196233914779149145415922993360261173802749903416410852 5936540946969068380413743119522086657954681104777466166619523872089382825434584986657206195388401394116281463523779867147359068527079261778989280073378929","y":"1 4688636763849423634161563668208005436934537036808215312013073914406080229091065664012401435191122593195545398427549560969740485383935412705550883183087988 4084510669689696446896782518572019797370055280953400381296886371059168605719109613476243274436901324059071182863572091904957302065549445841836679753993036"},"mblock_slots":{"size":2,"count":4,"min_stake":5000000000000000},"dex":{"DEX_COMMANDER_ADDRESS":"033333333333333333333333333333333333333333333333333333333333333333","DEX_BURN_ADDRESS":"02dead000000000000000000000000000000000000000000000000000000000000","DEX_ENX_TOKEN_HASH":"","DEX_SPACE_STATION_ID":"","DEX_COMMANDER_FEE":6,"DEX_POOL_FEE":35,"DEX_TRUSTED_TOKENS":["74c994dcf17ff31ad840299cf2cfb69eb3a1035334a929bd955a8f193b19d510","dcc4c5b656f476930cb00de7ceaa6f3b7f819f9e0f84d63b5eeb1d8940de3ebb","5e2e20ac96fd2ec76bf31dd16f40a7c24016ed3d1b0ff9eb0685498f810778ec","9c01bb29c859aa01708674dd06be16dd7be6d5855b969d0e575cd884a0fd3816","550b98eebed879382d0a160d1563987f0335fc5b058e358da971c2e1b6c76141"]}}',
    },
  ],
  'GET /stats': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer:
        '{"accounts":83368,"apkUrl":null,"cg_btc":"0.0000012","cg_eth":null,"cg_usd":"0.0123","csup":1268805637500000000,"difficulty":"12.34","height":7136396,"max_tps":3,"minApkVersion":0,"poa_count":null,"reward_poa":55811900000000,"cashier_ptr":58}',
    },
    {
      source: 'Recorded from the public node software: http-2.json',
      query: '',
      answer:
        '{"accounts":14,"cashier_ptr":6,"csup":1898805637500000000,"difficulty":"0.1","max_tps":7,"referrer_stake":10000000000000,"tps":1}',
    },
  ],
  'GET /ver': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer: '{"minApkVersion":"0.9.26","maxApkVersion":"0.9.26","apkUrl":"https://app.enecuum.com/"}',
    },
  ],
  'GET /referrer_stake': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '{"referrer_stake":10000000000000}',
    },
  ],
  'GET /get_min_stake': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '{"min_stake":250000000000}',
    },
  ],
  'GET /get_stake_limits': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '{"min_stake":250000000000,"max_stake":250000000000000,"default_stake":0}',
    },
  ],
  'GET /get_transfer_lock': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer: '{"transfer_lock":8192}',
    },
  ],
  'GET /roi': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'hash=0000000000000000000000000000000000000000000000000000000000000000',
      answer: '[{"stake":250000000000,"roi":250173309009}]',
    },
  ],
  'GET /roi_by_stake': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: 'stake=1250000000000',
      answer:
        '{"hash":"0000000000000000000000000000000000000000000000000000000000000000","percent":[0.08522150415999999,0.59655052912,2.5566451247999997,31.105849018399997],"enq":[1065268801.9999999,7456881613.999999,31958064059.999996,388823112729.99994]}',
    },
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer: '{"error":1,"msg":"Stake not specified"}',
    },
  ],
  'GET /poa_nodes_online': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer:
        '[{"key":"02e19651c9548834d2c7cde07d67f7551ae451c6b7b79d6637e59023daa10dab6f","country_name":"Finland","country_code":"FI"}]',
    },
  ],
  'GET /peer_map': [
    {
      source: 'Answer of the public handlers to invented rows: api_responses.json',
      query: '',
      answer: '[{"type":2,"city":"Helsinki","lat":60.1719,"lon":24.9347,"count":30}]',
    },
  ],
  'GET /contract_pricelist': [
    {
      source: 'Recorded from the public node software: http-1.json',
      query: '',
      answer:
        '{"create_token":0,"create_pos":0,"delegate":0,"undelegate":0,"transfer":0,"pos_reward":0,"mint":0,"burn":0,"custom":20000000000,"pool_create":0,"pool_add_liquidity":0,"pool_remove_liquidity":0,"pool_sell_exact":0,"farm_create":0,"farm_get_reward":0,"farm_increase_stake":0,"farm_decrease_stake":0,"farm_close_stake":0,"farm_add_emission":0,"dex_cmd_distribute":0,"pool_sell_exact_routed":0,"pool_buy_exact":0,"pool_buy_exact_routed":0}',
    },
  ],
  'GET /get_pos_list_all': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '{"daily_pos_reward":"96497280000000","total_stake":342433849492672,"active_total_stake":342433849492672,"effective_total_stake":299629618306088,"pos_contracts":[{"rank":1,"active":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","name":"pos-1","fee":490,"stake":342433849492672,"effective_stake":299629618306088,"stake_power":1,"effective_stake_power":1,"active_stake_power":1,"active_stake_share":0,"roi":978164,"uptime":0.875}]}',
    },
  ],
  'GET /get_pos_list_page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'page=0',
      answer:
        '{"pos_contracts":[{"rank":1,"active":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","name":"pos-1","fee":490,"stake":342433849492672,"effective_stake":299629618306088,"stake_power":1,"effective_stake_power":1,"active_stake_power":1,"active_stake_share":0,"roi":978164,"uptime":0.875}],"page_count":1}',
    },
  ],
  'GET /get_pos_list_count': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"count":1}',
    },
  ],
  'GET /get_pos_names': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '[{"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","name":"pos-1"}]',
    },
  ],
  'GET /get_pos_active_total_stake': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"active_total_stake":342433849492672}',
    },
  ],
  'GET /get_delegated_list': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'delegator=024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8',
      answer:
        '[{"rank":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","fee":490,"stake":342433849492672,"stake_power":1,"delegated":324619716643077,"undelegated":0,"transit":1000000000000,"reward":123051946224}]',
    },
  ],
  'GET /get_delegated_page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'delegator=024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8&page=0',
      answer:
        '{"pos_delegated":[{"rank":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","fee":490,"stake":342433849492672,"stake_power":1,"delegated":324619716643077,"undelegated":0,"transit":1000000000000,"reward":123051946224}],"page_count":1}',
    },
  ],
  'GET /get_undelegated_list': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'delegator=024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8',
      answer:
        '[{"tx_hash":"67e94be49f3562e963eaa93b143af75605c41891d2bd1ac30279f11923c675fa","pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","amount":1000000000000,"height":7,"timestamp":1700000105,"transfer_lock":1}]',
    },
  ],
  'GET /get_undelegated_page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'delegator=024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8&page=0',
      answer:
        '{"pos_undelegated":[{"tx_hash":"67e94be49f3562e963eaa93b143af75605c41891d2bd1ac30279f11923c675fa","pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","amount":1000000000000,"height":7,"timestamp":1700000105,"transfer_lock":1}],"page_count":1}',
    },
  ],
  'GET /get_pos_total_stake': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"total_stake":342433849492672}',
    },
  ],
  'GET /get_pos_list': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'owner=024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8',
      answer:
        '[{"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","fee":490,"stake":342433849492672,"name":"pos-1"}]',
    },
  ],
  'GET /get_pos_info': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'pos_id=c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f',
      answer:
        '[{"rank":1,"active":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","name":"pos-1","fee":490,"stake":342433849492672,"effective_stake":299629618306088,"stake_power":1,"effective_stake_power":1,"active_stake_power":1,"active_stake_share":0,"roi":978164,"uptime":0.875}]',
    },
  ],
  'GET /get_delegators_list': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'pos_id=c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f',
      answer:
        '[{"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","delegator":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","amount":324619716643077,"reward":123051946224}]',
    },
  ],
  'GET /get_delegators_page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'pos_id=c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f&page=0',
      answer:
        '{"pos_delegators":[{"delegator":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","amount":324619716643077,"share":0.948}],"page_count":1}',
    },
  ],
  'GET /get_top_pos': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '{"top_pos":[{"id":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","stake":324619716643077,"s_reward":123051946224,"percent":94.79778857259956}]}',
    },
  ],
  'GET /page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'n=0',
      answer:
        '{"count":1,"kblocks":[{"hash":"e5c8b34ea06a89a098ba0bd8417851909aee4299bc351426d3e7f793651491e9","n":7,"time":1700000105,"publisher":"025117591472713a75e533078f9832c1a2b1d37f7be6d8c9b2d3bf73f8dea0cd80","nonce":1601861299,"link":"f848456f024099432ae00fd9d91e45777ad8964614237df543e3182ebcaaaf0f","sprout":"ENQGENESIS","m_root":"e19dd0457cbc8e30991c74180fd983ee551135cb8b8ecd4dba738636976ec22b","leader_sign":null,"reward":1523000000,"target_diff":10,"tx_count":1}]}',
    },
  ],
  'GET /success_tx_by_height': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'height=1',
      answer:
        '{"error":{"code":0,"msg":"successfully"},"data":{"txs":[{"hash":"2684acb762492912a5debe3c6386212996954b18fc765291dfd6709ddfd2f11d","from":"03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9","to":"0216c0528ce2fa33325687f506922f595af316583ba33d89ed47119ec969f9d431","amount":14868423825,"mblocks_hash":"0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54","nonce":1278073113,"status":3,"sign":"304502206a3e1e0260e670c746a3cc18a29e1063ac78cce9c41b15c737cb5851de5baee6022100d90b14d5da08fddcec0afd91570d52dfaef7b595b4338f3d17cd9cf9166e57ae","ticker":"0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae","data":""}]}}',
    },
  ],
  'GET /search': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=2684acb762492912a5debe3c6386212996954b18fc765291dfd6709ddfd2f11d',
      answer:
        '[{"type":"tx","info":[{"status":3,"from":"03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9","to":"0216c0528ce2fa33325687f506922f595af316583ba33d89ed47119ec969f9d431","total_amount":14868423825,"fee_min":114,"token_hash":"0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae","fee_value":649,"fee_type":1,"data":"","hash":"2684acb762492912a5debe3c6386212996954b18fc765291dfd6709ddfd2f11d","kblocks_hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","mblocks_hash":"0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54"}]}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9',
      answer:
        '[{"type":"account","info":{"balances":[{"id":"03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9","amount":2551621202771,"token":"0000000000000000000000000000000000000000000000000000000000000000"}]}}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1',
      answer:
        '[{"type":"kblock","info":[{"hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","n":1,"time":1700000015,"publisher":"025117591472713a75e533078f9832c1a2b1d37f7be6d8c9b2d3bf73f8dea0cd80","nonce":19947664,"link":"ENQGENESIS","sprout":"ENQGENESIS","m_root":"99437c31c53e78ae9454f1c3e083088e2935fd51935bcd338a1bcbc618eeb07a","leader_sign":null,"reward":1523000000,"target_diff":10}]}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54',
      answer:
        '[{"type":"mblock","info":[{"hash":"0f866caea6af97698f9166986b3d2bd02549fafb8310a62b36d296f987c84a54","kblocks_hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","publisher":"0256a7b0cbc767cd61bc5dda29a79161bb6b9ce68ef1c0ace418d26a3780b3cac3","nonce":214938,"sign":"30460221008bed9642f42fc2575f779eb07d5538145cc83598dc71c34d122ed80b44031520022100f32baf8aa88c64299c07566155726fb0235a63d7fd8cc3dc056e4fe2db79318f","reward":8020637,"token":"e2b37864d50bcfc84a3c184f16cd926f30050e5a7ceeee5d61a0366d1e0c6eba","referrer":null,"leader_sign":null,"included":1,"calculated":1,"indexed":0}]}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=9ad74ce7cb07d7044dbbcf6055a499e8fa907e474b7fea48d08b1c5a9ec7d796',
      answer:
        '[{"type":"sblock","info":{"header":{"kblocks_hash":"d7a1247bfc20c75a44f9aea3ffac0dbfd4f94569dfb9c3e942b0ae8c9c6cedd1","publisher":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","sblocks_hash":"9ad74ce7cb07d7044dbbcf6055a499e8fa907e474b7fea48d08b1c5a9ec7d796","reward":16753000000}}}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae',
      answer:
        '[{"type":"token","info":[{"hash":"0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae","owner":"031cc093a3f7ff41689474d30adb62b65b3e09f625e2109c8d097c28290ac97fc8","fee_type":1,"fee_value":649,"fee_min":114,"ticker":"AAA","decimals":9,"total_supply":5000009181804788,"caption":"Alpha coin","active":0,"reissuable":0,"minable":1,"max_supply":9000000000000000,"block_reward":4590902395,"min_stake":1000000,"referrer_stake":50000000000,"ref_share":7071,"txs_count":4,"cg_price_usd":null,"dex_price_usd":null,"price_raw":{"cg_price":null,"dex_price":null,"decimals":null}}]}]',
    },
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'value=c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f',
      answer:
        '[{"type":"pos","info":[{"rank":1,"active":1,"pos_id":"c9bcbd0a55603c5bac64ab7dd4f694f26a91a1b41656d34ffc8cdb30e146982f","owner":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","name":"pos-1","fee":490,"stake":342433849492672,"effective_stake":299629618306088,"stake_power":1,"effective_stake_power":1,"active_stake_power":1,"active_stake_share":0,"roi":978164,"uptime":0.875}]}]',
    },
  ],
  'GET /top_accounts': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'page=0',
      answer:
        '{"accounts":[{"id":"024803cc9c35d576e5cb4d9871b083653c3e05f6f4e173d3ad3461179891e482b8","amount":326566335291326,"token":"0000000000000000000000000000000000000000000000000000000000000000","percentage":36.13938789456185}],"page_count":1}',
    },
  ],
  'GET /get_token_info_page': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'page=0&type=minable',
      answer:
        '{"tokens":[{"token_hash":"0000000000000000000000000000000000000000000000000000000000000000","total_supply":"1898805881180000000","fee_type":0,"fee_value":1000000000,"fee_min":0,"decimals":10,"minable":1,"reissuable":0,"token_holders_count":14,"txs_count":8,"in_slot":0,"cg_price_usd":null,"dex_price_usd":null,"price_raw":{"cg_price":null,"dex_price":null,"decimals":null}}],"page_size":20,"page_count":1}',
    },
  ],
  'GET /get_tokens_by_owner': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'owner=031cc093a3f7ff41689474d30adb62b65b3e09f625e2109c8d097c28290ac97fc8',
      answer:
        '[{"token_hash":"0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae","total_supply":5000009181804788,"fee_type":1,"fee_value":649,"fee_min":114,"reissuable":0,"minable":1}]',
    },
  ],
  'GET /get_token_holder_count': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: 'token_hash=0d3b1f89bb4813b996ba825439ffa9557ca860fd6ae72b5b0e1c8a5ba127ebae',
      answer: '{"count":6}',
    },
  ],
  'GET /get_tokens_count': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"count":5,"non_reissuable":0,"reissuable":1,"minable":4}',
    },
  ],
  'GET /health': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '{"status":"ok","height":8,"last_block_age_ms":4200,"miners_online":0,"pending":0,"store":true,"reason":null,"read_copy":null,"leader_line":null}',
    },
  ],
  'GET /tps': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"tps":0}',
    },
  ],
  'GET /difficulty': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"difficulty":"0.00"}',
    },
  ],
  'GET /poa_with_stake': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '{"total":12}',
    },
  ],
  'GET /list': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer:
        '["/api/v1/height","/api/v1/macroblock_by_height","/api/v1/macroblock","/api/v1/mblock","/api/v1/sblock","/api/v1/lastblocks","/api/v1/lasttxs","/api/v1/mblocks"]',
    },
  ],
  'GET /ext/plain/circ_supply': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '189876335.5461523579',
    },
  ],
  'GET /ext/plain/total_supply': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '189880588.1180000000',
    },
  ],
  'GET /ext/plain/max_supply': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '350000000.0000000000',
    },
  ],
  'GET /ext/plain/hashrate': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      answer: '1',
    },
  ],
  'POST /faucet': [
    {
      source: 'This server over a recorded ledger: ledger-1.json',
      query: '',
      body: '{"pubkey":"03f7dc520dfd7e1889740c6b3b6b992275976ca5111927af39202d98f58ba036c9"}',
      answer: 'true',
    },
  ],
}
