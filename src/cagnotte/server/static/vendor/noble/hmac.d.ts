export * from "@noble/hashes/hmac.js";
