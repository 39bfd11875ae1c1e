variable "db_password" {
  type      = string
  sensitive = true
}
resource "random_password" "db" { length = 32 }
resource "aws_db_instance" "main" {
  password             = random_password.database_master_2024.result
  username             = var.db_username
  parameter_group_name = aws_db_parameter_group.postgres16_2024.name
}
data "aws_secretsmanager_secret_version" "api" { secret_id = aws_secretsmanager_secret.api_key_2024_v2.id }
provider "vault" { token = data.external.vault_token_2024.result["token"] }
output "token_endpoint" { value = "https://login.example.com/oauth2/v2.0/token" }
