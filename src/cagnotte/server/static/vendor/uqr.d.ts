export * from "uqr";
